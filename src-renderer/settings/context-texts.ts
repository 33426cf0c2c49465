// Owns the words of the context's settings. Pure.
import { countText } from '../ui/format'

/** What happens to a full window, in two sentences. `threshold`: 1 or more turns automatic handling off. */
export function fullWindowText(threshold: number, rollsOver: boolean): string {
  if (threshold >= 1)
    return 'Nothing happens by itself: it is used up to what the model takes, and stops there. You then summarise it with /compact, or begin a fresh one.'
  return rollsOver
    ? 'It rolls over: the agent is asked for its notes, and a fresh window begins. The agent can search the earlier ones.'
    : 'It is summarised: a model writes a summary, and the work goes on from it. Every row stays on screen and on disk.'
}

/** `8 hours`, `3 days`, `1 day 5 hours`. */
export function hoursText(hours: number): string {
  const days = Math.floor(hours / 24)
  const rest = hours % 24
  if (days === 0) return countText(hours, 'hour')
  return rest === 0 ? countText(days, 'day') : `${countText(days, 'day')} ${countText(rest, 'hour')}`
}
