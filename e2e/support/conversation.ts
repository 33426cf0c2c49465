// Owns how a test acts and looks in a conversation: the words of the specification's hooks, nothing else.
import { expect, type Locator, type Page } from '@playwright/test'

export function composerOf(page: Page): Locator {
  return page.getByTestId('composer')
}

/** Types a message and sends it: `Enter`, or `Control+Enter` for after the turn. */
export async function say(page: Page, text: string, key = 'Enter'): Promise<void> {
  await composerOf(page).fill(text)
  await composerOf(page).press(key)
  await expect(composerOf(page)).toHaveValue('')
}

/** Waits until no turn runs. */
export async function untilIdle(page: Page): Promise<void> {
  await expect(page.getByTestId('composer-stop')).toHaveCount(0)
}

/** The last piece of an answer. */
export function lastAnswer(page: Page): Locator {
  return page.getByTestId('row-assistant').last()
}

/** What the transcript says, with white space folded. */
export async function transcriptText(page: Page): Promise<string> {
  return (await page.getByTestId('transcript').innerText()).replaceAll(/\s+/g, ' ')
}

/** How often a text stands in the transcript. */
export async function countInTranscript(page: Page, text: string): Promise<number> {
  return (await transcriptText(page)).split(text).length - 1
}

/** Chooses in one of the composer's menus, such as `Approvals`. */
export async function choose(page: Page, picker: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${picker}: `) }).click()
  await page.getByRole('menuitemradio', { name: option }).click()
}

/** Sends a request over the bridge, as the window does. */
export function request(page: Page, name: string, input: unknown): Promise<unknown> {
  return page.evaluate(
    ([askedName, askedInput]) => {
      const { tidemark } = window as unknown as { tidemark: { request(a: unknown, b: unknown): Promise<unknown> } }
      return tidemark.request(askedName, askedInput)
    },
    [name, input] as const
  )
}
