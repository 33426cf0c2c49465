;; Source of byte-filter-code.ts (wat2wasm byte-filter.wat, then base64). Finds the first of up to eight byte patterns.
;;
;; Sixteen places at a time: two table look-ups a byte (its low and its high half) give the patterns whose mark, two
;; neighbouring bytes, may begin with it, and those whose mark may end with it. Where both agree, a third byte is looked
;; at, then the whole pattern, each byte with two alternatives (upper and lower case). Reads up to 48 bytes behind the end.
;;
;;   0   six tables of 16: low and high half of the mark's first and second byte and of the next; bit n is pattern n
;;  96   scratch for one vector
;; 128   a pattern: its length, and where its mark begins in it (two i32)
;; 256   a pattern's bytes, 128 of one alternative, 128 of the other
(module
  (memory (export "memory") 25)

  ;; Confirms the patterns that may stand at the sixteen places from $at on; the bit of one that does, or 0.
  (func $confirm (param $at i32) (param $found v128) (param $start i32) (param $end i32) (result i32)
    (local $places i32) (local $place i32) (local $lane i32) (local $pattern i32) (local $entry i32)
    (local $from i32) (local $length i32) (local $index i32) (local $byte i32) (local $third v128) (local $half v128)
    (local.set $half (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (local.set $third (v128.load offset=2 (local.get $at)))
    (local.set $found
      (v128.and
        (local.get $found)
        (v128.and
          (i8x16.swizzle (v128.load (i32.const 64)) (v128.and (local.get $third) (local.get $half)))
          (i8x16.swizzle (v128.load (i32.const 80)) (i8x16.shr_u (local.get $third) (i32.const 4))))))
    (v128.store (i32.const 96) (local.get $found))
    (local.set $places (i8x16.bitmask (i8x16.ne (local.get $found) (v128.const i32x4 0 0 0 0))))
    (block $none
      (loop $lanes
        (br_if $none (i32.eqz (local.get $places)))
        (local.set $place (i32.ctz (local.get $places)))
        (local.set $places (i32.and (local.get $places) (i32.sub (local.get $places) (i32.const 1))))
        (local.set $lane (i32.load8_u offset=96 (local.get $place)))
        (local.set $place (i32.add (local.get $at) (local.get $place)))
        (loop $patterns
          (local.set $pattern (i32.ctz (local.get $lane)))
          (local.set $lane (i32.and (local.get $lane) (i32.sub (local.get $lane) (i32.const 1))))
          (local.set $entry (i32.add (i32.const 128) (i32.shl (local.get $pattern) (i32.const 3))))
          (local.set $from (i32.sub (local.get $place) (i32.load offset=4 (local.get $entry))))
          (local.set $length (i32.load (local.get $entry)))
          (block $differs
            (br_if $differs (i32.lt_s (local.get $from) (local.get $start)))
            (br_if $differs (i32.gt_u (i32.add (local.get $from) (local.get $length)) (local.get $end)))
            (local.set $index (i32.const 0))
            (local.set $entry (i32.add (i32.const 256) (i32.shl (local.get $pattern) (i32.const 8))))
            (loop $bytes
              (local.set $byte (i32.load8_u (i32.add (local.get $from) (local.get $index))))
              (if (i32.ne (local.get $byte) (i32.load8_u (i32.add (local.get $entry) (local.get $index))))
                (then
                  (br_if $differs
                    (i32.ne
                      (local.get $byte)
                      (i32.load8_u offset=128 (i32.add (local.get $entry) (local.get $index)))))))
              (local.set $index (i32.add (local.get $index) (i32.const 1)))
              (br_if $bytes (i32.lt_u (local.get $index) (local.get $length))))
            (return (i32.shl (i32.const 1) (local.get $pattern))))
          (br_if $patterns (local.get $lane)))
        (br $lanes)))
    (i32.const 0))

  (func (export "find") (param $start i32) (param $end i32) (param $wanted i32) (result i32)
    (local $at i32) (local $hit i32) (local $bytes v128) (local $low v128) (local $high v128) (local $half v128)
    (local $al v128) (local $ah v128) (local $bl v128) (local $bh v128)
    (local $first v128) (local $second v128) (local $nextFirst v128) (local $nextSecond v128)
    (local $found v128) (local $nextFound v128)
    (local.set $half (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    ;; What is not wanted is left out of the first table.
    (local.set $al (v128.and (i8x16.splat (local.get $wanted)) (v128.load (i32.const 0))))
    (local.set $ah (v128.load (i32.const 16)))
    (local.set $bl (v128.load (i32.const 32)))
    (local.set $bh (v128.load (i32.const 48)))
    (local.set $at (local.get $start))
    (local.set $bytes (v128.load (local.get $at)))
    (local.set $low (v128.and (local.get $bytes) (local.get $half)))
    (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $half)))
    (local.set $first
      (v128.and (i8x16.swizzle (local.get $al) (local.get $low)) (i8x16.swizzle (local.get $ah) (local.get $high))))
    (local.set $second
      (v128.and (i8x16.swizzle (local.get $bl) (local.get $low)) (i8x16.swizzle (local.get $bh) (local.get $high))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; Two vectors a turn. A mark's second byte stands one place on, perhaps in the next vector.
        (local.set $bytes (v128.load offset=16 (local.get $at)))
        (local.set $low (v128.and (local.get $bytes) (local.get $half)))
        (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $half)))
        (local.set $nextFirst
          (v128.and (i8x16.swizzle (local.get $al) (local.get $low)) (i8x16.swizzle (local.get $ah) (local.get $high))))
        (local.set $nextSecond
          (v128.and (i8x16.swizzle (local.get $bl) (local.get $low)) (i8x16.swizzle (local.get $bh) (local.get $high))))
        (local.set $found
          (v128.and
            (local.get $first)
            (i8x16.shuffle 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 (local.get $second) (local.get $nextSecond))))
        (local.set $bytes (v128.load offset=32 (local.get $at)))
        (local.set $low (v128.and (local.get $bytes) (local.get $half)))
        (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $half)))
        (local.set $first
          (v128.and (i8x16.swizzle (local.get $al) (local.get $low)) (i8x16.swizzle (local.get $ah) (local.get $high))))
        (local.set $second
          (v128.and (i8x16.swizzle (local.get $bl) (local.get $low)) (i8x16.swizzle (local.get $bh) (local.get $high))))
        (local.set $nextFound
          (v128.and
            (local.get $nextFirst)
            (i8x16.shuffle 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 (local.get $nextSecond) (local.get $second))))
        (if (v128.any_true (v128.or (local.get $found) (local.get $nextFound)))
          (then
            (if (v128.any_true (local.get $found))
              (then
                (local.set $hit
                  (call $confirm (local.get $at) (local.get $found) (local.get $start) (local.get $end)))
                (if (local.get $hit) (then (return (local.get $hit))))))
            (if (v128.any_true (local.get $nextFound))
              (then
                (local.set $hit
                  (call $confirm
                    (i32.add (local.get $at) (i32.const 16))
                    (local.get $nextFound)
                    (local.get $start)
                    (local.get $end)))
                (if (local.get $hit) (then (return (local.get $hit))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $next)))
    (i32.const 0)))
