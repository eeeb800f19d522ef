/** Puts text on the clipboard; false when the browser does not let it. `navigator.clipboard` exists only under https and on localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    document.body.append(area)
    const before = document.activeElement
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    return isCopied
  } catch {
    return false
  }
}
