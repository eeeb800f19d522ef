// What a name may be made of, so that what people read is what it says. Server and screens ask the same.

/** Whether the text has no line break, tab or other control character. */
export function isOneLine(text: string) {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/** The text with LF at the end of each line, where a browser or a file of Windows writes CR LF. */
export function lineFeeds(text: string) {
  return text.replaceAll('\r\n', '\n')
}

/** Marks without a shape of their own: zero width, direction, fillers. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Whether the text has a letter, digit, symbol or punctuation mark that people see. */
export function isSeen(text: string) {
  return /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{S}\p{P}]/u.test(text)
}

/** Scripts whose letters pass for each other's, each by itself. Those of East Asia are written together. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u,
]
/** Everyday letters of Thai, Lao and Armenian that have another form all the same. */
const everyday = /[\u0e33\u0eb3\u0587]/gu
/** Those of Thai and Lao in two parts, which look the same. */
const inTwoParts = /\u0e4d[\u0e48-\u0e4b]?\u0e32|\u0ecd[\u0ec8-\u0ecb]?\u0eb2/u
const ofNoScript = /[\p{Script=Common}\p{Script=Inherited}]/u

/** What a new login may not be; undefined when nothing is wrong. A user who has such a login from before keeps it. */
export function problemOfLogin(login: string): string | undefined {
  if (unseen.test(login)) return 'must not have blanks or characters that nobody sees'
  const plain = login.replaceAll(everyday, '')
  if (plain !== plain.normalize('NFKC') || inTwoParts.test(login)) return 'must not have letters in a rare form'
  const letters = (login.match(/\p{L}/gu) ?? []).filter(letter => !ofNoScript.test(letter))
  const used = new Set(letters.map(letter => scripts.findIndex(script => script.test(letter))))
  return used.size > 1 ? 'must not mix letters of different scripts, such as Latin and Cyrillic' : undefined
}
