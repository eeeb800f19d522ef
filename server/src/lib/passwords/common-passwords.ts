// No list of leaked passwords is shipped (docs/decisions/014). The most frequent entries of all published lists follow a few patterns: a few hundred
// words, doubled, in pairs or with a usual ending, keyboard walks, sequences and repetitions. They are generated here.

export const words = `
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
/** The rows of keyboards in several countries, and the alphabet. */
const rows = [
  '`1234567890-=',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  'yxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '12345678901234567890',
]
/** The columns of an American keyboard. */
const columns = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik,', '9ol.', '0p;/']
const corners = [
  ...['qwer', 'asdf', 'zxcv', 'qwe', 'asd', 'zxc', 'qaz', 'wsx', 'edc', 'zaq', 'xsw', '1234', '4321', '123', '321', '12', '1'],
  ...['abcd', 'abc', 'zaq1', '2wsx'],
]

function reversed(text: string) {
  return [...text].reverse().join('')
}

/** Three or more neighbors of a row, in both directions: `wert`, `trew`. */
function* alongRows() {
  for (const line of rows.flatMap(row => [row, reversed(row)])) {
    for (let start = 0; start < line.length; start++) {
      for (let end = start + 3; end <= line.length; end++) yield line.slice(start, end)
    }
  }
}

/** Digits and letters in turn: `1q2w3e`, `q1w2e3`. */
function* alternating() {
  const digits = '1234567890'
  for (const letters of ['qwertyuiop', 'asdfghjkl;', 'abcdefghij']) {
    for (let length = 2; length <= 10; length++) {
      const pairs = [...digits.slice(0, length)].map((digit, place) => [digit, letters[place] ?? ''] as const)
      yield pairs.map(([digit, letter]) => digit + letter).join('')
      yield pairs.map(([digit, letter]) => letter + digit).join('')
    }
  }
}

/** Up to five neighboring columns: `1qaz2wsx`, each from its other end, and from right to left. */
function* alongColumns() {
  for (let start = 0; start < columns.length; start++) {
    for (let count = 1; count <= 5; count++) {
      const some = columns.slice(start, start + count)
      yield some.join('')
      yield some.map(reversed).join('')
      yield some.toReversed().join('')
    }
  }
}

function makeList() {
  const list = new Set<string>()
  for (const word of words) for (const ending of endings) list.add(word + ending)
  for (const first of corners) for (const second of corners) for (const third of ['', ...corners]) list.add(first + second + third)
  for (const walk of [...alongRows(), ...alternating(), ...alongColumns()]) {
    const doubled = [...walk].map(character => character + character).join('')
    for (const entry of [doubled, walk, walk + walk, `${walk}1`, `${walk}!`, `${walk}123`, `123${walk}`, `1${walk}`]) list.add(entry)
  }
  return list
}

let list: Set<string> | undefined
/** The blocked passwords, in lower case; generated on first use. */
export function commonPasswords() {
  list ??= makeList()
  return list
}
