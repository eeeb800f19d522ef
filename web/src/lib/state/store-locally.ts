/** Keeps a text in this browser, or removes it when it is empty. Where storage is full or unavailable, nothing is kept. Returns whether it is. */
export function storeLocally(key: string, text: string, place: 'localStorage' | 'sessionStorage' = 'localStorage') {
  try {
    if (text) window[place].setItem(key, text)
    else window[place].removeItem(key)
    return true
  } catch {
    // The page works without it.
    return false
  }
}
