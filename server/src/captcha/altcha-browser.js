// Runs in the page. Gives the built-in captcha the interface of reCAPTCHA, hCaptcha and Turnstile: explicit rendering, an onload callback,
// render, getResponse, reset, remove.
;(() => {
  const address = new URL(document.currentScript.src)
  const at = file => new URL(file, address).href
  const widgets = new Map()
  // A solved challenge is valid for ten minutes. Measured here as a duration: the browser's clock may be wrong.
  const lasts = 9 * 60_000
  let count = 0

  function render(target, options = {}) {
    const host = typeof target === 'string' ? document.getElementById(target) : target
    const element = document.createElement('altcha-widget')
    const configuration = { hideFooter: true, hideLogo: true, humanInteractionSignature: false, name: '', workers: 4 }
    element.setAttribute('challenge', at('challenge'))
    element.setAttribute('configuration', JSON.stringify({ ...configuration, ...options.configuration }))
    element.setAttribute('language', options.hl ?? address.searchParams.get('hl') ?? 'en')
    const widget = { element, response: '' }
    const call = (name, argument) => {
      if (typeof options[name] === 'function') options[name](argument)
    }
    element.addEventListener('verified', event => {
      widget.response = event.detail.payload
      clearTimeout(widget.expiry)
      widget.expiry = setTimeout(() => element.reset?.(), lasts)
      call('callback', widget.response)
    })
    element.addEventListener('statechange', event => {
      const { state } = event.detail
      if (state === 'verified' || widget.response === '') {
        if (state === 'error') call('error-callback')
        return
      }
      widget.response = ''
      call(state === 'error' ? 'error-callback' : 'expired-callback')
    })
    host.append(element)
    widgets.set(++count, widget)
    return count
  }

  const first = () => widgets.keys().next().value
  window.altchaCaptcha = {
    render,
    getResponse: (id = first()) => widgets.get(id)?.response ?? '',
    reset(id = first()) {
      const widget = widgets.get(id)
      if (!widget) return
      clearTimeout(widget.expiry)
      widget.response = ''
      widget.element.reset?.()
    },
    remove(id = first()) {
      clearTimeout(widgets.get(id)?.expiry)
      widgets.get(id)?.element.remove()
      widgets.delete(id)
    },
  }

  const style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = at('altcha.css')
  document.head.append(style)
  import(at('altcha.js')).then(() => {
    window.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(at('worker.js')))
    window[address.searchParams.get('onload')]?.()
  })
})()
