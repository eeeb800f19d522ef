const controls =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [tabindex], [contenteditable]'

/** What Tab reaches inside of the element, in its order. */
export function reachableIn(element: Element) {
  return [...element.querySelectorAll<HTMLElement>(controls)].filter(control => control.tabIndex >= 0 && control.checkVisibility())
}

/** Whether nothing has the focus, as after leaving a page whose link or button had it, or only the new page's heading has it. */
export function isFocusNowhere() {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.tagName === 'H1'
}

/** "Remove" of "Remove ada from the project": what buttons of different rows have in common. */
function verbOf(control: Element) {
  return (control.getAttribute('aria-label') ?? control.textContent).trim().split(/[\s:]/)[0]?.toLowerCase()
}

/**
 * The `ref` of a card, a list or a dialog that keeps the focus when the element that has it is removed: the same button of the next row gets it, else
 * that of the row before, else the first control. Outside of rows it is the control that takes the removed one's place.
 */
export function keepFocus(box: HTMLElement | null) {
  return box ? keepFocusOr(box, () => reachableIn(box.closest('section') ?? box)[0] ?? box) : undefined
}

/** The same, with another place for the focus if no control is left. */
export function keepFocusOr(box: HTMLElement, fallback: () => HTMLElement) {
  let last: { element: HTMLElement; row: number; position: number } | undefined
  const rowsNow = () => [...box.querySelectorAll('li, tr')]
  const remember = () => {
    const element = document.activeElement as HTMLElement
    if (!box.contains(element)) return
    const row = element.closest('li, tr')
    last = { element, row: row ? rowsNow().indexOf(row) : -1, position: row ? -1 : reachableIn(box).indexOf(element) }
  }
  // A click on the page's background takes the focus away on purpose. Whether it was a removal shows only afterwards.
  const forget = () =>
    queueMicrotask(() => {
      if (last?.element.isConnected && isFocusNowhere()) last = undefined
    })
  const restore = () => {
    if (!last || last.element.isConnected || !isFocusNowhere()) return
    const { element, row, position } = last
    last = undefined
    const rows = rowsNow()
    const same = [...rows.slice(row), ...rows.slice(0, row).reverse()]
      .flatMap(reachableIn)
      .find(control => row >= 0 && verbOf(control) === verbOf(element))
    const place = position < 0 ? same : (reachableIn(box)[position] ?? reachableIn(box).at(-1))
    const target = place ?? fallback()
    target.focus()
  }
  const observer = new MutationObserver(restore)
  observer.observe(box, { childList: true, subtree: true })
  box.addEventListener('focusin', remember)
  // A button that was pressed before may be in another place by now: MORE is below the rows that it has brought.
  box.addEventListener('click', remember)
  box.addEventListener('focusout', forget)
  return () => {
    observer.disconnect()
    box.removeEventListener('focusin', remember)
    box.removeEventListener('click', remember)
    box.removeEventListener('focusout', forget)
  }
}

/**
 * Gives the focus to a button that is clicked, before the page handles the click. Safari gives it to none: a dialog would not know where to return it,
 * and a list could not keep it. Whoever prevents the press from moving the focus keeps it in a field; that stays.
 */
export function focusClicked({ target }: MouseEvent) {
  const button = (target as Element).closest<HTMLElement>('button, input')
  const active = document.activeElement as HTMLElement
  // Nowhere, or in what surrounds the button without being a control, such as a dialog.
  if (button && active.tabIndex < 0 && active.contains(button)) button.focus({ preventScroll: true })
}
