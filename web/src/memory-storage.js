// Where the browser forbids a page to store anything, reading `localStorage` throws. The page then remembers until it is closed.
class MemoryStorage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null
  }
  setItem(key, text) {
    this[key] = text
  }
  removeItem(key) {
    delete this[key]
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key]
  }
}
for (const place of ['localStorage', 'sessionStorage']) {
  try {
    Object.keys(window[place])
  } catch {
    Object.defineProperty(window, place, { value: new MemoryStorage() })
  }
}
