import type { Edit, Selected } from './editing.ts'

export function selectedOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { text: value, start: selectionStart, end: selectionEnd }
}

/** Changes a text area as if the text had been typed, so that the browser's undo works. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit) {
  if (area.readOnly || area.disabled) return
  area.focus()
  area.setSelectionRange(from, to)
  const typed = () =>
    insert === '' ? from === to || document.execCommand?.('delete') : document.execCommand?.('insertText', false, insert)
  // A hidden area, or one behind a dialog, cannot have the focus: the command would change the field that has it.
  if (document.activeElement !== area || !typed()) {
    area.setRangeText(insert, from, to, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  area.setSelectionRange(start, end)
}
