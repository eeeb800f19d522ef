const cutParts = '.words, .marked .path, td:is(.type, .state, .title, .value)'

/** What has a title: nothing but what is under the pointer, because rows are reused for other tickets. */
let named: Element | undefined

/** Under the pointer, what is cut off in a row has its whole text as its title. */
export function nameIfCut(target: EventTarget) {
  named?.removeAttribute('title')
  const part = target instanceof Element && target.closest<HTMLElement>(cutParts)
  // Parts with a tooltip of their own: people, labels.
  if (!part || part.scrollWidth <= part.clientWidth || part.querySelector('[data-tip]')) return
  const text = [...part.childNodes].map(node => node.textContent?.trim()).filter(Boolean)
  part.title = text.join(' ')
  named = part
}
