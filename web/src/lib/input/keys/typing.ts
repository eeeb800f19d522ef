/** Whether keys are typed into this element. */
export function isTyping(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
}

/** Many keyboards have the brackets on AltGr, which Windows reports as Ctrl and Alt, or on a Mac's Option. */
export function isForOther(event: KeyboardEvent) {
  if (event.getModifierState('AltGraph')) return false
  return event.ctrlKey || event.metaKey || (event.altKey && /^[\p{L}\d]$|^\w{2,}$/u.test(event.key))
}

/** A pause as long as this ends what somebody was typing, in milliseconds. */
const typingPause = 1000
const nothing = { field: undefined as HTMLElement | undefined, at: 0 }
let typed = nothing

/** When a text field disappears while somebody types in it, the next keys were meant for it: until a pause they trigger no shortcut and no button. */
function holdTyping(event: KeyboardEvent) {
  const { key, target, timeStamp } = event
  const isGone = typed.field && (!typed.field.isConnected || typed.field.matches(':disabled'))
  const isTypedOn = isGone && timeStamp - typed.at < typingPause && !isForOther(event) && !isTyping(target)
  if (isTypedOn && (key.length === 1 || key === 'Enter')) {
    typed.at = timeStamp
    event.preventDefault()
    event.stopPropagation()
  } else if (isForOther(event) || ['Enter', 'Escape', 'Tab'].includes(key)) typed = nothing
  else if (key.length === 1 && isTyping(target)) typed = { field: target as HTMLElement, at: timeStamp }
}

function endTyping() {
  typed = nothing
}

window.addEventListener('keydown', holdTyping, true)
window.addEventListener('pointerdown', endTyping, true)
