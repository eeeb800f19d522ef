/** The release of a drag or of a long press is no click on what is below the pointer. */
export function swallowClick() {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => document.removeEventListener('click', swallow, { capture: true }))
}
