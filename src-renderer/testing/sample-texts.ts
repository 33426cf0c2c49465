// Owns the texts of stories: long enough to judge a page by, about the work that people do here.

export const ANSWER = `The retry budget is spent twice because \`withRetry\` wraps a client that **already retries**. Two things follow from it:

1. A single 529 costs up to 16 requests instead of 4.
2. The wait that the server asked for is only honoured by the inner loop.

The inner loop lives in \`src/net/client.ts\`:

\`\`\`ts
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const response = await fetch(url, init)
    if (response.ok || !isRetryable(response.status)) return response
    await sleep(retryAfterMs(response) ?? backoff(attempt)) // the server's wish comes first
  }
  throw new RetryError(\`no answer from \${url} after \${MAX_ATTEMPTS} attempts\`)
}
\`\`\`

I would take the outer loop away and keep this one, since it sees the header. See [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#field.retry-after) for what \`Retry-After\` may hold.`

export const EVERYTHING = `# Report on the receipts

A paragraph with *emphasis*, **strong words**, ~~withdrawn ones~~, \`inline code\`, a [link](https://example.org/docs) and a bare https://example.org/path?query=1.

## What changed

- The receipt is written **before** memory changes
  - by temporary file and rename
  - with one \`fdatasync\`
- A torn tail is cut at the next open

### Steps

1. Read the tail
2. Compare hashes
10. Say what was found

#### Open points

- [x] cut at every byte
- [ ] two processes at once

> A damaged line is kept and shown, never overwritten.
>
> The file is the truth.

| Operation | Before | After | Ratio |
| :-- | --: | --: | :-: |
| append, 3 rows | 0.92 ms | 0.31 ms | 0.34 |
| open, 1 GB | 4 210 ms | 38 ms | 0.009 |
| search, no hit | 1 840 ms | 212 ms | 0.12 |

---

\`\`\`
no language, no colours
\`\`\`

![diagram of the windows](https://images.example.org/windows.png)

<details>HTML stays text</details>`

export const ARABIC = `تُكتب الإيصالات **قبل** أن تتغير الذاكرة، ولذلك لا يضيع أي صف:

1. يُقرأ ذيل الملف
2. تُقارن البصمات

\`\`\`ts
const ok = verify(receipt)
\`\`\`

راجع الملف \`src/history/append-receipt.ts\` للتفاصيل.`

export const HEBREW_REQUEST = 'תקן את הקבלות: אחרי קריסה חסרה שורה אחת. ראה src/history/append-rows.ts'

export const LONG_REQUEST = Array.from(
  { length: 46 },
  (_, line) =>
    `${String(line + 1).padStart(2, ' ')}  Error: ENOSPC: no space left on device, write '/var/log/app/${line}.log'`
).join('\n')

export const LONG_WORD = `${'a-very-long-path-segment-without-a-break/'.repeat(12)}end.ts`

export const DIFF = `--- a/src/net/client.ts
+++ b/src/net/client.ts
@@ -8,11 +8,12 @@ export interface RequestOptions {
 const MAX_ATTEMPTS = 4

 export async function request(url: string, init: RequestInit = {}): Promise<Response> {
-  for (let attempt = 0; attempt < 3; attempt += 1) {
+  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
     const response = await fetch(url, init)
-    if (response.ok) return response
-    await sleep(backoff(attempt))
+    if (response.ok || !isRetryable(response.status)) return response
+    await sleep(retryAfterMs(response) ?? backoff(attempt))
   }
+  throw new RetryError(url)
 }
@@ -40,4 +41,4 @@ function backoff(attempt: number): number {
   const base = 1_000 * 2 ** attempt
-  return base
+  return base * (0.5 + Math.random())
 }
`

export const TEST_OUTPUT = `
\u001b[1m RUN \u001b[0m v4.1.12 ~/code/receipts

 \u001b[32m✓\u001b[39m src/net/client.test.ts (12 tests) 214ms
 \u001b[32m✓\u001b[39m src/history/append-receipt.test.ts (31 tests) 1204ms
 \u001b[31m❯\u001b[39m src/history/torn-lines.test.ts (8 tests | 1 failed) 388ms
   \u001b[31m× cuts a torn tail at the last whole line\u001b[39m
     → expected 41 to be 42

 Test Files  1 failed | 2 passed (3)
      Tests  1 failed | 50 passed (51)
   Duration  2.31s`
