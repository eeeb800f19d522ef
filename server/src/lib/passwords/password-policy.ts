import { limits } from '@tessera/contract/limits'
import type { Config } from '../../config.ts'
import { Failure } from '../failure.ts'

// No list of leaked passwords is shipped. The most frequent entries of all published lists follow a few patterns: a few hundred words, doubled, in pairs or with a usual ending,
// keyboard walks, sequences and repetitions. They are generated here.

const words = `
  password passwort passwd passcode welcome willkommen bienvenue login admin administrator root user guest test testing tester demo
  default changeme secret letmein access system server windows linux apple google facebook twitter instagram samsung computer internet
  hello goodbye iloveyou loveyou lovely love angel baby babygirl princess prince queen king sweetheart darling honey sunshine rainbow
  flower butterfly chocolate cookie cheese banana orange pepper ginger summer winter spring autumn january february march april may june
  july august september october november december monday tuesday wednesday thursday friday saturday sunday christmas birthday holiday
  football soccer baseball basketball hockey tennis golf swimming running champion player winner arsenal chelsea liverpool barcelona
  madrid juventus yankees lakers cowboys steelers eagles tigers dragon monkey tiger lion panther dolphin eagle falcon hunter shadow
  master ninja pirate warrior knight wizard merlin gandalf phoenix spider spiderman batman superman ironman starwars startrek pokemon
  pikachu naruto mario minecraft fortnite matrix trustno1 whatever nothing something anything forever together freedom justice peace
  michael jennifer jessica ashley amanda daniel thomas robert william james john david charlie george andrew matthew joshua anthony
  joseph christopher nicole michelle samantha elizabeth alexander benjamin jordan taylor morgan harley buster maggie bailey lucky
  ferrari porsche mercedes mustang corvette camaro yamaha honda toyota silver golden purple yellow green black white diamond crystal
  london paris berlin america canada england germany france italia espana australia texas florida california boston chicago dallas
  jesus christ heaven blessed faith hope grace money dollar business company office team manager boss project ticket tracker support
`
  .trim()
  .split(/\s+/)
const endings = [
  ...['', '1', '12', '123', '1234', '12345', '123456', '1234567', '12345678', '123456789', '0', '01', '007', '11', '111', '13', '21', '22'],
  ...['69', '77', '88', '99', '00', '000', '321', '666', '777', '!', '!!', '!1', '1!', '123!', '1234!', '@123', '@1', '#1', '$', '*', '.'],
  ...['qwe', 'abc', 'xyz', '?', '_', '-1'],
  ...Array.from({ length: 61 }, (_, index) => String(1970 + index)),
  ...Array.from({ length: 11 }, (_, index) => `${2020 + index}!`),
]
const keyboard = [
  '`1234567890-=',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  'yxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
]
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik,', '9ol.', '0p;/']

const corners = [
  'qwer',
  'asdf',
  'zxcv',
  'qwe',
  'asd',
  'zxc',
  'qaz',
  'wsx',
  'edc',
  'zaq',
  'xsw',
  '1234',
  '4321',
  '123',
  '321',
  '12',
  '1',
  'abcd',
  'abc',
  'zaq1',
  '2wsx',
]

function* walks() {
  for (const row of [...keyboard, '01234567890123456789', '12345678901234567890']) {
    for (const line of [row, [...row].reverse().join('')]) {
      for (let start = 0; start < line.length; start++) {
        for (let end = start + 3; end <= line.length; end++) yield line.slice(start, end)
      }
    }
  }
  for (const [digits, letters] of [
    ['1234567890', 'qwertyuiop'],
    ['1234567890', 'asdfghjkl;'],
    ['1234567890', 'abcdefghij'],
  ] as const) {
    for (let end = 2; end <= 10; end++) {
      yield [...digits.slice(0, end)].map((digit, index) => digit + letters[index]).join('')
      yield [...digits.slice(0, end)].map((digit, index) => letters[index] + digit).join('')
    }
  }
  for (let start = 0; start < columns.length; start++) {
    for (let count = 1; count <= 5; count++) {
      const part = columns.slice(start, start + count)
      yield part.join('')
      yield part.map(column => [...column].reverse().join('')).join('')
      yield part.reverse().join('')
    }
  }
}

function makeList() {
  const list = new Set<string>()
  for (const word of words) for (const ending of endings) list.add(word + ending)
  for (const first of corners) for (const second of corners) for (const third of ['', ...corners]) list.add(first + second + third)
  const runs = [...new Set(walks())]
  for (const run of runs) {
    list.add([...run].map(character => character + character).join(''))
    for (const entry of [run, run + run, `${run}1`, `${run}!`, `${run}123`, `123${run}`, `1${run}`]) list.add(entry)
  }
  return list
}

let list: Set<string> | undefined
/** The blocked passwords, in lower case; generated on first use. */
export function commonPasswords() {
  list ??= makeList()
  return list
}

const lookalikes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }

function isCommon(password: string) {
  const common = commonPasswords()
  const lower = password.toLowerCase()
  const tail = /[\d\W_]*$/.exec(lower)?.[0] ?? ''
  const head = lower.slice(0, lower.length - tail.length).replace(/[013457@$!]/g, character => lookalikes[character] ?? character)
  const candidates = [lower, head + tail, head.replaceAll('i', 'l') + tail, tail.length <= 4 ? head : lower, lower.replace(/\s+/g, '')]
  if (candidates.some(candidate => common.has(candidate) || isPair(candidate))) return true
  // A character, or a piece of two to four, repeated: aaaaaaaa, abcabcabc.
  return /^(.{1,4}?)\1+.?$/u.test(lower) || new Set(lower).size <= 2
}

const wordSet = new Set(words)
function isPair(text: string) {
  for (let middle = 3; middle <= text.length - 3; middle++) {
    if (wordSet.has(text.slice(0, middle)) && wordSet.has(text.slice(middle))) return true
  }
  return false
}

/** Words an attacker would try: of the product, the organizations, the person. */
function contextWords(context: readonly string[]) {
  return ['tessera', ...context.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map(word => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .filter(word => [...word].length >= 4)
}

/**
 * Throws 422 with a sentence unless the password may be used. `context` are names an attacker tries first: organization, login, mail, full name.
 * `field` is named in the error. No composition rules and no expiry (NIST SP 800-63B-4, ASVS 5.0 6.2).
 */
export function requireGoodPassword(
  config: Pick<Config, 'passwordMinLength'>,
  password: string,
  context: readonly string[],
  field = 'newpass',
) {
  const refuse = (sentence: string) => new Failure('rule', sentence, { fields: [{ path: field, message: sentence }] })
  const normal = password.normalize('NFKC')
  if ([...normal].length < config.passwordMinLength) throw refuse(`The password needs at least ${config.passwordMinLength} characters`)
  if (Buffer.byteLength(normal) > limits.password) throw refuse(`The password may have at most ${limits.password} bytes`)
  if (isCommon(normal)) throw refuse('This password is one of those that are tried first: choose another')
  const letters = normal.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const remainder = contextWords(context)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), letters)
  if (remainder !== letters && [...remainder.replace(/\d{1,4}$/, '')].length < 4)
    throw refuse('This password is made of your name, your organization or the product: choose another')
}
