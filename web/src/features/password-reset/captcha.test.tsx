import { resetPassword } from '@tessera/contract/people/password-reset'
import { getClientConfig } from '@tessera/contract/people/session'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { show } from '../../../test/show.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'

type Options = Record<string, unknown> & { callback: (answer: string) => void; 'expired-callback': () => void }

const rendered: Options[] = []
let address = 0

beforeEach(() => {
  rendered.length = 0
  address += 1
})
afterEach(() => {
  cleanup()
  for (const script of document.head.querySelectorAll('script')) script.remove()
  vi.unstubAllGlobals()
})

function open() {
  const server = fakeServer()
  server.on(getClientConfig, () => ({
    product: 'Tessera',
    version: '1',
    language: 'en',
    captcha: { script: `https://captcha.test/${address}.js?x=1`, global: 'turnstile', siteKey: 'site-key', options: { theme: 'auto' } },
    support: 'support@example.com',
    setUpNeeded: false,
    limits: { passwordMinLength: 8, attachmentTypes: [], attachmentMaxBytes: 1, sessionIdleMinutes: 60 },
  }))
  server.on(resetPassword, () => ({ Success: 1 }))
  const { user } = show(<ResetPasswordPage />)
  return { server, user }
}
/** The provider's script loads and invokes the callback of its address. */
async function arrive() {
  const script = await waitFor(() => {
    const found = document.head.querySelector('script')
    if (!found) throw new Error('no script yet')
    return found
  })
  const url = new URL(script.src)
  vi.stubGlobal('turnstile', { render: (_element: HTMLElement, options: Options) => rendered.push(options), remove: () => undefined })
  await act(async () => (window as unknown as Record<string, () => void>)[url.searchParams.get('onload') ?? '']?.())
  return url
}
const reset = () => screen.getByRole<HTMLButtonElement>('button', { name: 'RESET' })

test('loads the script for explicit rendering and gives the widget key, configuration and language [1.13] [1.14] [7.47]', async () => {
  open()
  const url = await arrive()
  expect(url.searchParams.get('render')).toBe('explicit')
  expect(url.searchParams.get('hl')).toBe('en')
  expect(url.searchParams.get('x')).toBe('1')
  expect(rendered).toHaveLength(1)
  expect(rendered[0]).toMatchObject({ sitekey: 'site-key', theme: 'auto', hl: 'en' })
})

test('the form is valid while the captcha is solved: not before, and not after it expired [5.16] [5.18] [5.19]', async () => {
  const { server, user } = open()
  await arrive()
  await user.type(screen.getByLabelText('Email address or username'), '  dana ')
  expect(reset().disabled).toBe(true)
  await act(async () => rendered[0]?.callback('solved once'))
  expect(reset().disabled).toBe(false)
  await act(async () => rendered[0]?.['expired-callback']())
  expect(reset().disabled).toBe(true)
  await act(async () => rendered[0]?.callback('solved twice'))
  await user.clear(screen.getByLabelText('Email address or username'))
  expect(reset().disabled).toBe(true)
  await user.type(screen.getByLabelText('Email address or username'), '  dana ')
  await user.click(reset())
  await screen.findByText(/Your request was submitted/)
  expect(server.sentTo(resetPassword).map(({ input }) => input)).toEqual([{ AuthName: 'dana', Captcha: 'solved twice' }])
})

test('a request that fails asks for another answer, and leaves the name [4.14]', async () => {
  const { server, user } = open()
  await arrive()
  server.on(resetPassword, () => new Refusal(400, { error: 'The human verification was not accepted: do it again', code: 'captcha' }))
  await user.type(screen.getByLabelText('Email address or username'), 'dana')
  await act(async () => rendered[0]?.callback('solved'))
  await user.click(reset())
  await screen.findByText('The human verification was not accepted: do it again')
  expect(rendered).toHaveLength(2)
  expect(reset().getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByLabelText<HTMLInputElement>('Email address or username').value).toBe('dana')
})

test('says when the provider cannot be reached, and tries again', async () => {
  open()
  const script = await waitFor(() => {
    const found = document.head.querySelector('script')
    if (!found) throw new Error('no script yet')
    return found
  })
  await act(async () => script.dispatchEvent(new Event('error')))
  await screen.findByText('The human verification could not be loaded.')
  await act(async () => screen.getByRole('button', { name: 'TRY AGAIN' }).click())
  await arrive()
  expect(rendered).toHaveLength(1)
})
