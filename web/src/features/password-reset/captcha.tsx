import { useQuery } from '@tanstack/react-query'
import { getClientConfig } from '@tessera/contract/people/session'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Alert } from '../../components/alert/alert.tsx'
import { Button } from '../../components/button/button.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import styles from './captcha.module.css'

/** What each provider's script puts on the window. */
interface Widgets {
  render: (
    element: HTMLElement,
    options: {
      sitekey: string
      callback: (answer: string) => void
      'expired-callback': () => void
      'error-callback': () => void
      [option: string]: unknown
    },
  ) => unknown
  remove?: (widget: unknown) => void
}

interface CaptchaProps {
  /** The solved captcha, for one use; '' while it is unsolved or has expired. */
  onChange: (answer: string) => void
}

const onload = 'tesseraCaptchaLoaded'
const loadTimeout = 15_000
const loaded = new Map<string, Promise<void>>()

/** Loads the provider's script once: explicit rendering, a callback when it is ready, the page's language. */
function loadScript(address: string, language: string) {
  const known = loaded.get(address)
  if (known) return known
  const promise = new Promise<void>((resolve, reject) => {
    const url = new URL(address, window.location.href)
    url.searchParams.set('render', 'explicit')
    url.searchParams.set('onload', onload)
    url.searchParams.set('hl', language)
    const script = document.createElement('script')
    const fail = (why: string) => {
      script.remove()
      loaded.delete(address)
      reject(new Error(why))
    }
    const timer = setTimeout(() => fail('The human verification takes too long to load.'), loadTimeout)
    Object.assign(window, {
      [onload]: () => {
        clearTimeout(timer)
        resolve()
      },
    })
    script.async = true
    script.onerror = () => {
      clearTimeout(timer)
      fail('The human verification could not be loaded.')
    }
    script.src = url.href
    document.head.append(script)
  })
  loaded.set(address, promise)
  return promise
}

/** Human verification as a required control of a form: empty until solved and again when the answer expires. Remount it after each use. */
export function Captcha({ onChange }: CaptchaProps) {
  const { data, error, refetch } = useQuery({ ...callQuery(getClientConfig, {}), staleTime: Number.POSITIVE_INFINITY })
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'solved' | { problem: string }>('loading')
  const [attempt, setAttempt] = useState(0)
  const tell = useEffectEvent(onChange)
  const captcha = data?.captcha
  const language = data?.language ?? 'en'

  useEffect(() => {
    const box = place.current
    if (!captcha || !box) return
    // A widget never releases its element, so each one gets its own.
    const element = document.createElement('div')
    box.append(element)
    let isGone = false
    let removeWidget = () => {}
    loadScript(captcha.script, language).then(
      () => {
        if (isGone) return
        const widgets = (window as unknown as Record<string, Widgets | undefined>)[captcha.global]
        if (!widgets) return setState({ problem: 'The human verification could not be started.' })
        const clear = (next: typeof state) => () => {
          if (isGone) return
          tell('')
          setState(next)
        }
        const widget = widgets.render(element, {
          ...captcha.options,
          sitekey: captcha.siteKey,
          hl: language,
          callback: answer => {
            if (isGone) return
            tell(answer)
            setState('solved')
          },
          'expired-callback': clear('ready'),
          'error-callback': clear({ problem: 'The human verification failed.' }),
        })
        removeWidget = () => widgets.remove?.(widget)
        setState('ready')
      },
      (problem: Error) => {
        if (!isGone) setState({ problem: problem.message })
      },
    )
    return () => {
      isGone = true
      removeWidget()
      element.remove()
    }
  }, [captcha, language, attempt])

  const loadProblem = data ? undefined : error?.message
  const problem = typeof state === 'object' ? state.problem : loadProblem
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields, one control drawn by somebody else
    <div role="group" aria-label="Human verification" aria-describedby="captcha-state" className={styles.captcha}>
      {state === 'loading' && !problem && <Skeleton height={70} />}
      <div ref={place} hidden={Boolean(problem)} className={styles.place} />
      {problem && (
        <Alert
          severity="error"
          action={
            <Button
              onClick={() => {
                setState('loading')
                setAttempt(attempt + 1)
                if (!data) void refetch()
              }}
            >
              TRY AGAIN
            </Button>
          }
        >
          {problem}
        </Alert>
      )}
      {/* The control itself: a form with it is not valid before the widget has answered. */}
      <input type="hidden" name="captcha" data-state={typeof state === 'object' ? 'problem' : state} />
      <div id="captcha-state" role="status" className={styles.state}>
        {state === 'ready' && 'Required: confirm that you are a person'}
        {state === 'solved' && 'Confirmed'}
      </div>
    </div>
  )
}
