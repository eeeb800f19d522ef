import { expect, test } from 'vitest'
import { asCode, asItems, asLink, beginning, completed, type Edit, nextItem, pastedLink, type Selected, wrapped } from './editing.ts'
import { withBreaks } from './uploading.ts'

/** A text with its selection between `‹` and `›`, or the caret at `|`. */
function at(marked: string): Selected {
  if (marked.includes('|')) return { text: marked.replace('|', ''), start: marked.indexOf('|'), end: marked.indexOf('|') }
  const start = marked.indexOf('‹')
  return { text: marked.replace(/[‹›]/g, ''), start, end: marked.indexOf('›') - 1 }
}
function after({ text }: Selected, edit: Edit | undefined) {
  if (!edit) return
  const done = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const { start, end } = edit
  return start === end
    ? `${done.slice(0, start)}|${done.slice(start)}`
    : `${done.slice(0, start)}‹${done.slice(start, end)}›${done.slice(end)}`
}
const changed = (marked: string, change: (selected: Selected) => Edit | undefined) => after(at(marked), change(at(marked)))

test('a mark is added around the selection and removed again', () => {
  const bold = (selected: Selected) => wrapped(selected, '**')
  const italic = (selected: Selected) => wrapped(selected, '*')
  expect(changed('a ‹b› c', bold)).toBe('a **‹b›** c')
  expect(changed('a **‹b›** c', bold)).toBe('a ‹b› c')
  expect(changed('a ‹ b ›c', bold)).toBe('a  **‹b›** c')
  expect(changed('a | c', bold)).toBe('a **|** c')
  expect(changed('‹b›', italic)).toBe('*‹b›*')
  expect(changed('*‹b›*', italic)).toBe('‹b›')
  expect(changed('**‹b›**', italic)).toBe('***‹b›***')
  expect(changed('***‹b›***', italic)).toBe('**‹b›**')
})

test('code is in the line, or a block for several lines', () => {
  expect(changed('a ‹b›', asCode)).toBe('a `‹b›`')
  expect(changed('‹b\nc›\nd', asCode)).toBe('```\n‹b\nc›\n```\nd')
  expect(changed('a ‹b\nc› d', asCode)).toBe('a \n```\n‹b\nc›\n```\n d')
})

test('lines become items and tasks, and plain lines again', () => {
  const list = (selected: Selected) => asItems(selected, '- ')
  const task = (selected: Selected) => asItems(selected, '- [ ] ')
  expect(changed('one|', list)).toBe('- one|')
  expect(changed('|', list)).toBe('- |')
  expect(changed('x\n‹one\n\ntwo›\ny', list)).toBe('x\n‹- one\n\n- two›\ny')
  expect(changed('‹- one\n- two›', list)).toBe('‹one\ntwo›')
  expect(changed('‹- one\n2. two›', task)).toBe('‹- [ ] one\n- [ ] two›')
  expect(changed('‹- [x] one\n  - [ ] two›', task)).toBe('‹one\n  two›')
  expect(changed('- [ ] one|', list)).toBe('- one|')
})

test('a link takes its words or its address from the selection, and an address that is pasted over words makes one', () => {
  expect(changed('see ‹this›', asLink)).toBe('see [this](‹https://›)')
  expect(changed('see ‹https://a.example›', asLink)).toBe('see [|](https://a.example)')
  const paste = (pasted: string) => (selected: Selected) => pastedLink(selected, pasted)
  expect(changed('see ‹this›', paste('https://a.example/x(1)'))).toBe('see [this](https://a.example/x(1))|'.replace('(1)', '%281%29'))
  expect(changed('see ‹this›', paste('no address'))).toBeUndefined()
  expect(changed('see ‹this›', paste('javascript:alert(1)'))).toBeUndefined()
  expect(changed('see |this', paste('https://a.example'))).toBeUndefined()
  expect(changed('‹https://a.example›', paste('https://b.example'))).toBeUndefined()
})

test('Enter goes on with a list, counts, and ends it in an empty item', () => {
  expect(changed('- one|', nextItem)).toBe('- one\n- |')
  expect(changed('  * one|', nextItem)).toBe('  * one\n  * |')
  expect(changed('9. nine| ten', nextItem)).toBe('9. nine\n10. | ten')
  expect(changed('- [x] done|', nextItem)).toBe('- [x] done\n- [ ] |')
  expect(changed('> said|', nextItem)).toBe('> said\n> |')
  expect(changed('- one\n- |', nextItem)).toBe('- one\n\n|')
  expect(changed('- |one', nextItem)).toBeUndefined()
  expect(changed('one|', nextItem)).toBeUndefined()
  expect(changed('-one|', nextItem)).toBeUndefined()
  expect(changed('```\n- one|\n```', nextItem)).toBeUndefined()
})

test('@ and : begin a name and an emoji at the start of a word', () => {
  const begun = (marked: string) => {
    const found = beginning(at(marked))
    return found && `${found.kind}${found.words}@${found.from}`
  }
  expect(begun('@|')).toBe('@@0')
  expect(begun('hi @no|')).toBe('@no@3')
  expect(begun('(@ann|')).toBe('@ann@1')
  expect(begun('me@no|')).toBeUndefined()
  expect(begun(':ro|')).toBe(':ro@0')
  expect(begun('ok :+1|')).toBe(':+1@3')
  expect(begun('so :|')).toBeUndefined()
  expect(begun(':)|')).toBeUndefined()
  expect(begun('12:30|')).toBeUndefined()
  expect(begun('http://a|')).toBeUndefined()
})

test('a failed upload leaves no empty lines', () => {
  const left = (text: string, hasBreakBefore: boolean) => {
    const { from, to } = withBreaks(text, '![]()', hasBreakBefore)
    return text.slice(0, from) + text.slice(to)
  }
  expect(left('above\n![]()\n', true)).toBe('above')
  expect(left('above\n![]()\n', false)).toBe('above\n')
  expect(left('above\n![]()\n\nbelow', true)).toBe('above\nbelow')
  expect(left('above\n![]()\n![other]()\n', true)).toBe('above\n![other]()\n')
  expect(left('![]()', false)).toBe('')
})

test('a completed name ends with one blank, and with none before punctuation', () => {
  const complete = (selected: Selected) => completed(selected, beginning(selected)?.from ?? 0, '@ada')
  expect(changed('Ask @a|', complete)).toBe('Ask @ada |')
  expect(changed('Ask @a|now', complete)).toBe('Ask @ada |now')
  expect(changed('Ask @a| now', complete)).toBe('Ask @ada |now')
  expect(changed('Ask @a|\nnow', complete)).toBe('Ask @ada|\nnow')
  expect(changed('(Ask @a|)', complete)).toBe('(Ask @ada|)')
  expect(changed('_Ask @a|_...', complete)).toBe('_Ask @ada|_...')
  expect(changed('Ask @a|.b', complete)).toBe('Ask @ada |.b')
})
