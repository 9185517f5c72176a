/** Dates, numbers and lists as the reader writes them. */

import { language } from './language.svelte'

/** What browsers may not know of a language of ours: Chromium has no Icelandic dates and numbers. */
const MISSING: Record<string, { months: string[]; short: string[]; weekdays: string[]; numbers: string; and: string }> = {
  is: {
    months: ['janúar', 'febrúar', 'mars', 'apríl', 'maí', 'júní', 'júlí', 'ágúst', 'september', 'október', 'nóvember', 'desember'],
    short: ['jan.', 'feb.', 'mars', 'apríl', 'maí', 'júní', 'júlí', 'ágúst', 'sept.', 'okt.', 'nóv.', 'des.'],
    weekdays: ['M', 'Þ', 'M', 'F', 'F', 'L', 'S'],
    /** A language that writes numbers the same way, “50%” too. */
    numbers: 'nl',
    and: 'og',
  },
}

/** The language in use, as it is written where the reader is: a British reader has British dates. */
function locale(): string {
  const spoken = language()
  const own = navigator.languages.find((tag) => tag.split('-')[0] === spoken && tag !== spoken)
  return own ?? (spoken === 'en' ? 'en-GB' : spoken)
}

const missing = (): (typeof MISSING)[string] | undefined =>
  Intl.DateTimeFormat.supportedLocalesOf(language()).length ? undefined : MISSING[language()]

const two = (number: number): string => String(number).padStart(2, '0')

/** "4 Mar 2025". */
export function dayOf(time: number): string {
  const own = missing()
  if (!own) return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(time)
  const date = new Date(time)
  return `${date.getDate()}. ${own.short[date.getMonth()]} ${date.getFullYear()}`
}

/** "4 Mar 2025", of a day of puzzles such as 2025-03-04: it is UTC's, and the same date wherever one is. */
export function dateOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return dayOf(new Date(year, month - 1, date, 12).getTime())
}

/** "4 Mar 2025, 19:30". */
export function momentOf(time: number): string {
  if (!missing()) return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(time)
  const date = new Date(time)
  return `${dayOf(time)}, ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** "March 2025". */
export function monthOf(time: number): string {
  const own = missing()
  if (!own) return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(time)
  const date = new Date(time)
  return `${own.months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** With which day a week begins: 1 is Monday, 7 is Sunday. Where the browser does not know, that is so in Hebrew and in American English. */
export function firstWeekday(tag = locale()): number {
  // Of a language that it does not know a browser takes the week for an American one.
  if (!Intl.DateTimeFormat.supportedLocalesOf(tag).length) return 1
  const known = new Intl.Locale(tag) as Intl.Locale & { weekInfo?: { firstDay: number }; getWeekInfo?: () => { firstDay: number } }
  return known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay ?? (/^(he|en-US)/.test(tag) ? 7 : 1)
}

/** The days of a week from its first on, each in a letter or two. */
export function weekdays(): string[] {
  const own = missing()
  const format = new Intl.DateTimeFormat(locale(), { weekday: 'narrow', timeZone: 'UTC' })
  const days = own?.weekdays ?? Array.from({ length: 7 }, (_, place) => format.format(Date.UTC(2024, 0, place + 1)))
  const first = firstWeekday() - 1
  return [...days.slice(first), ...days.slice(0, first)]
}

/** "19:30". */
export const timeOfDay = (time: number): string => {
  if (!missing()) return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(time)
  const date = new Date(time)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

export const numbersOf = (format: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(missing()?.numbers ?? locale(), format)

/** A number with at most so many decimals: "12.5", or "12,5". */
export const decimal = (number: number, digits = 1): string => numbersOf({ maximumFractionDigits: digits }).format(number)

/** "Ada, Ben and Cleo". */
export function listOf(items: readonly string[]): string {
  const own = missing()
  if (!own) return new Intl.ListFormat(locale()).format(items)
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} ${own.and} ${items.at(-1)}`
}
