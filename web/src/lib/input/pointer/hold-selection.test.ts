import { expect, test } from 'vitest'
import { holdSelection } from './hold-selection.ts'

test('the second press of a double click selects nothing where something else was pressed first', () => {
  document.body.innerHTML = '<p><button>SAVE</button> <b>word</b></p><textarea></textarea>'
  const [button, word, text] = ['button', 'b', 'textarea'].map(name => document.querySelector(name) as HTMLElement)
  document.addEventListener('mousedown', holdSelection, true)
  const press = (on: HTMLElement | undefined, detail: number) =>
    on?.dispatchEvent(new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }))
  /** Whether the second press selects. */
  const selects = (one?: HTMLElement, other?: HTMLElement) => press(one, 1) && press(other, 2)
  expect([selects(button, word), selects(word, word), selects(button, text), selects(word, button)]).toEqual([false, true, true, true])
  document.removeEventListener('mousedown', holdSelection, true)
})
