import { isAddress } from '@tessera/contract/projects/field-values'

/** The content of a text area: the text and the selection. */
export interface Selected {
  text: string
  start: number
  end: number
}

/** Replaces `from` to `to` by `insert`, and then selects `start` to `end` of the new text. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

/** Puts a mark around the selection, or removes it. Blanks at its ends stay outside: `**word **` is not bold. */
export function wrapped(selected: Selected, mark: string): Edit {
  const { text } = selected
  const { length } = mark
  const chosen = text.slice(selected.start, selected.end).trim()
  const start = chosen === '' ? selected.start : text.indexOf(chosen, selected.start)
  const end = chosen === '' ? selected.end : start + chosen.length
  // A single asterisk inside of two does not count.
  const isOutside =
    text.slice(start - length, start) === mark &&
    text.slice(end, end + length) === mark &&
    (length > 1 || text[start - 2] !== mark || text[end + 1] !== mark || text.slice(start - 3, start) === mark.repeat(3))
  if (isOutside) return { from: start - length, to: end + length, insert: text.slice(start, end), start: start - length, end: end - length }
  return { from: start, to: end, insert: `${mark}${text.slice(start, end)}${mark}`, start: start + length, end: end + length }
}

/** Inline code, or a code block for several lines. */
export function asCode(selected: Selected): Edit {
  const { text, start, end } = selected
  const chosen = text.slice(start, end)
  if (!chosen.includes('\n')) return wrapped(selected, '`')
  const before = start > 0 && text[start - 1] !== '\n' ? '\n```\n' : '```\n'
  const after = text[end] === '\n' || end === text.length ? '\n```' : '\n```\n'
  return { from: start, to: end, insert: `${before}${chosen}${after}`, start: start + before.length, end: end + before.length }
}

const item = /^(?<indent>\s*)(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<dot>[.)]))\s+(?<box>\[[ xX]\]\s+)?/

/** Makes the selected lines items of a list or tasks, or plain lines again. */
export function asItems({ text, start, end }: Selected, mark: '- ' | '- [ ] '): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', Math.max(start, end - 1))
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const isTask = (line: string) => Boolean(item.exec(line)?.groups?.box)
  const isItem = (line: string) => item.test(line) && isTask(line) === (mark !== '- ')
  const isUndone = lines.every(line => isItem(line) || (line.trim() === '' && lines.length > 1))
  const insert = lines
    .map(line => {
      if (line.trim() === '' && lines.length > 1) return line
      const indent = /^\s*/.exec(line)?.[0] ?? ''
      const bare = line.replace(item, '').trimStart()
      return `${indent}${isUndone ? '' : mark}${bare}`
    })
    .join('\n')
  const isCaret = start === end
  const caret = Math.max(from, start + insert.length - (to - from))
  return { from, to, insert, start: isCaret ? caret : from, end: isCaret ? caret : from + insert.length }
}

/** Makes the selection a link: its text, or its address if it is one. The missing part is then selected. */
export function asLink({ text, start, end }: Selected): Edit {
  const chosen = text.slice(start, end)
  if (isAddress(chosen)) return { from: start, to: end, insert: `[](${chosen})`, start: start + 1, end: start + 1 }
  const address = 'https://'
  const at = start + chosen.length + 3
  return { from: start, to: end, insert: `[${chosen}](${address})`, start: at, end: at + address.length }
}

/** An address pasted over a selection links it; undefined for anything else. */
export function pastedLink({ text, start, end }: Selected, pasted: string): Edit | undefined {
  const chosen = text.slice(start, end)
  const address = pasted.trim()
  if (chosen.trim() === '' || /[\n[\]]/.test(chosen) || isAddress(chosen) || !isAddress(address)) return
  const insert = `[${chosen}](${address.replaceAll(/[()<>]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)})`
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

/** Enter in a list begins the next item; in an empty item it ends the list. Undefined elsewhere. */
export function nextItem({ text, start, end }: Selected): Edit | undefined {
  if (start !== end) return
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const found = item.exec(line)
  const quote = /^(?:\s*>)+ ?/.exec(line)?.[0]
  const lead = found?.[0] ?? quote
  if (lead === undefined || isInCode(text, from)) return
  const rest = text.slice(start).split('\n', 1)[0] ?? ''
  if (line.slice(lead.length).trim() === '') {
    // Without a blank line what follows would belong to the item before.
    return rest.trim() === '' ? { from, to: start, insert: '\n', start: from + 1, end: from + 1 } : undefined
  }
  const { indent = '', bullet, number, dot = '', box } = found?.groups ?? {}
  const mark = found ? `${indent}${bullet ?? `${Number(number) + 1}${dot}`} ${box ? '[ ] ' : ''}` : lead
  const insert = `\n${mark}`
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length }
}

/** Whether a position is in a fenced code block. */
function isInCode(text: string, place: number) {
  return (text.slice(0, place).match(/^ {0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 1
}

/** The unfinished name or emoji right before the caret. */
export function beginning({ text, start, end }: Selected): { kind: '@' | ':'; words: string; from: number } | undefined {
  if (start !== end) return
  const found = /(?:^|[\s([{"'*_>])(?<kind>[@:])(?<words>[^\s@:]{0,50})$/u.exec(text.slice(Math.max(0, start - 60), start))
  const { kind, words = '' } = found?.groups ?? {}
  if (kind !== '@' && kind !== ':') return
  // Ignores `:)` and the colon of a sentence.
  if (kind === ':' && !/^[a-z+-][\w+-]+$/i.test(words)) return
  return { kind, words, from: start - words.length - 1 }
}

/** What does not become part of a name that it follows: a name may contain `.` and `_`. */
const endOfName = /^(?:[\s)\]},;:!?"'*]|[._]+(?![\p{L}\p{N}._]))/u

/** Completes the name or emoji that begins at `from`, and goes on after a blank: one is added unless a blank or punctuation follows. */
export function completed({ text, end }: Selected, from: number, name: string): Edit {
  const insert = endOfName.test(text.slice(end)) ? name : `${name} `
  const caret = from + insert.length + (text[end] === ' ' ? 1 : 0)
  return { from, to: end, insert, start: caret, end: caret }
}
