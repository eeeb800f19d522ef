const control = 'a, button, input, label, select, textarea, [contenteditable]'

/** What the first of quickly repeated presses was on. */
let first: EventTarget | null = null

/** What is clicked often goes away at once. The second press of a double click would select a word of what is there then. */
export function holdSelection(event: MouseEvent) {
  const { target, detail } = event
  if (detail < 2) first = target
  else if (target !== first && target instanceof Element && !target.closest(control)) event.preventDefault()
}
