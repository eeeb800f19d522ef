const cutParts = '.words, .path, td:is(.type, .state, .title, .value)'

/** Under the pointer, what is cut off in a row has its whole text as its title. */
export function nameIfCut(target: EventTarget) {
  const part = target instanceof Element && target.closest<HTMLElement>(cutParts)
  // Parts with a tooltip of their own: people, labels.
  if (!part || part.querySelector('[data-tip]')) return
  const text = [...part.childNodes].map(node => node.textContent?.trim()).filter(Boolean)
  if (part.scrollWidth > part.clientWidth) part.title = text.join(' ')
  else part.removeAttribute('title')
}
