// Which characters a name may have, so that it is what it looks like. Server and screens use the same rules.

/** Whether the text has no line break, tab or other control character. */
export function isOneLine(text: string) {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/** The text with LF line endings: browsers and Windows files have CR LF. */
export function lineFeeds(text: string) {
  return text.replaceAll('\r\n', '\n')
}

/** Invisible characters: spaces, zero width, direction marks, fillers. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Whether the text is nothing but blanks and invisible characters. Characters that are newer than this program's tables are none. */
export function isBlank(text: string) {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
/** Whether the text has a letter, digit, symbol or punctuation mark that people see. */
export function isSeen(text: string) {
  return /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{S}\p{P}]/u.test(text)
}

const latin = /\p{Script=Latin}/u
/** These count as one script, because they are commonly mixed. */
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u
/** Scripts with letters that look alike or run the other way: a login may use one of them, or East Asian beside Latin ones, as in UTS 39. */
const scripts = [
  latin,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  eastAsian,
]
/** Common letters of Thai, Lao and Armenian, although NFKC changes them. */
const everyday = /[\u0e33\u0eb3\u0587]/gu
/** The Thai and Lao ones written as two characters, which look the same. */
const inTwoParts = /\u0e4d[\u0e48-\u0e4b]?\u0e32|\u0ecd[\u0ec8-\u0ecb]?\u0eb2/u
const ofNoScript = /[\p{Script=Common}\p{Script=Inherited}]/u

/** What is wrong with a new login; undefined when nothing is. Existing users with such a login keep it. */
export function problemOfLogin(login: string): string | undefined {
  if (invisible.test(login)) return 'must not have blanks or invisible characters'
  const plain = login.replaceAll(everyday, '')
  if (plain !== plain.normalize('NFKC') || inTwoParts.test(login)) return 'must not have letters in a rare form'
  const letters = (login.match(/\p{L}/gu) ?? []).filter(letter => !ofNoScript.test(letter))
  const used = new Set(letters.map(letter => scripts.find(script => script.test(letter))))
  if (used.has(latin)) used.delete(eastAsian)
  return used.size > 1 ? 'must not mix letters of different scripts, such as Latin and Cyrillic' : undefined
}
