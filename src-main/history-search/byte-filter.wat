;; Source of byte-filter-code.ts (wat2wasm byte-filter.wat, then base64). Finds the first of up to eight byte patterns.
;;
;; Sixteen places at a time: two table look-ups a byte (its low and its high half) give the patterns that the byte may
;; belong to; three neighbouring bytes of each pattern, its mark, must agree. What agrees is compared byte by byte,
;; each byte with two alternatives (upper and lower case). Reads up to 17 bytes behind the end.
;;
;;   0   six tables of 16: low and high half of the mark's first, second, third byte; bit n stands for pattern n
;;  96   scratch for one vector
;; 128   a pattern: its length, and where its mark begins in it (two i32)
;; 256   a pattern's bytes, 128 of one alternative, 128 of the other
(module
  (memory (export "memory") 25)
  (func (export "find") (param $start i32) (param $end i32) (param $wanted i32) (result i32)
    (local $at i32) (local $places i32) (local $place i32) (local $lane i32) (local $pattern i32)
    (local $entry i32) (local $from i32) (local $length i32) (local $index i32) (local $byte i32)
    (local $a v128) (local $b v128) (local $c v128) (local $found v128) (local $half v128) (local $mask v128)
    (local $al v128) (local $ah v128) (local $bl v128) (local $bh v128) (local $cl v128) (local $ch v128)
    (local.set $half (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (local.set $mask (i8x16.splat (local.get $wanted)))
    (local.set $al (v128.load (i32.const 0)))
    (local.set $ah (v128.load (i32.const 16)))
    (local.set $bl (v128.load (i32.const 32)))
    (local.set $bh (v128.load (i32.const 48)))
    (local.set $cl (v128.load (i32.const 64)))
    (local.set $ch (v128.load (i32.const 80)))
    (local.set $at (local.get $start))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=1 (local.get $at)))
        (local.set $c (v128.load offset=2 (local.get $at)))
        (local.set $found
          (v128.and
            (local.get $mask)
            (v128.and
              (v128.and
                (v128.and
                  (i8x16.swizzle (local.get $al) (v128.and (local.get $a) (local.get $half)))
                  (i8x16.swizzle (local.get $ah) (i8x16.shr_u (local.get $a) (i32.const 4))))
                (v128.and
                  (i8x16.swizzle (local.get $bl) (v128.and (local.get $b) (local.get $half)))
                  (i8x16.swizzle (local.get $bh) (i8x16.shr_u (local.get $b) (i32.const 4)))))
              (v128.and
                (i8x16.swizzle (local.get $cl) (v128.and (local.get $c) (local.get $half)))
                (i8x16.swizzle (local.get $ch) (i8x16.shr_u (local.get $c) (i32.const 4)))))))
        (if (v128.any_true (local.get $found))
          (then
            (v128.store (i32.const 96) (local.get $found))
            (local.set $places (i8x16.bitmask (i8x16.ne (local.get $found) (v128.const i32x4 0 0 0 0))))
            (loop $lanes
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
              (br_if $lanes (local.get $places)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.const 0)))
