/** The properties that the copy needs to break lines in the same places as the text area. */
const copied = [
  'boxSizing',
  'width',
  'padding',
  'border',
  'font',
  'letterSpacing',
  'lineHeight',
  'tabSize',
  'textIndent',
  'overflowWrap',
  'wordBreak',
] as const

/** The position in the window of an index in a text area's text. A text area cannot be measured, so a copy of it is. */
export function caretPlace(area: HTMLTextAreaElement, index: number): DOMRect {
  const copy = document.createElement('div')
  const style = getComputedStyle(area)
  for (const name of copied) copy.style[name] = style[name]
  Object.assign(copy.style, { position: 'absolute', top: '0', left: '-9999px', whiteSpace: 'pre-wrap', visibility: 'hidden' })
  copy.append(area.value.slice(0, index))
  const mark = document.createElement('span')
  mark.textContent = area.value.slice(index, index + 1) || '.'
  copy.append(mark)
  document.body.append(copy)
  const { offsetLeft, offsetTop } = mark
  copy.remove()
  const box = area.getBoundingClientRect()
  const line = Number.parseFloat(style.lineHeight) || 20
  const top = Math.min(Math.max(box.top, box.top + offsetTop - area.scrollTop), box.bottom - line)
  return new DOMRect(box.left + offsetLeft, top, 1, line)
}
