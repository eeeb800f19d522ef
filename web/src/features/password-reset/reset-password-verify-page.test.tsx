import { resetPasswordActivate } from '@tessera/contract/people/password-reset'
import { getClientConfig } from '@tessera/contract/people/session'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { showPages } from '../../../test/show.tsx'
import { LoginPage } from '../session/entry/login-page.tsx'
import { ResetPasswordVerifyPage } from './reset-password-verify-page.tsx'

vi.mock('./captcha.tsx', () => ({
  Captcha: ({ onChange }: { onChange: (answer: string) => void }) => (
    <button type="button" onClick={() => onChange('solved')}>
      person
    </button>
  ),
}))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(answer: Promise<{ Success: 1 } | Refusal>, hash = '', passwordMinLength = 0) {
  const server = fakeServer()
  server.on(getClientConfig, () => (passwordMinLength ? ({ limits: { passwordMinLength } } as never) : new Refusal(503)))
  server.on(resetPasswordActivate, () => answer)
  const { user } = showPages(
    [
      { path: '/reset-password-verify/:code', Component: ResetPasswordVerifyPage },
      { path: '/login', Component: LoginPage },
    ],
    `/reset-password-verify/the-secret-code${hash}`,
  )
  await user.type(await screen.findByLabelText('Enter a new password'), 'a quiet harbour light')
  const change = screen.getByRole<HTMLButtonElement>('button', { name: 'CHANGE PASSWORD' })
  await user.click(screen.getByRole('button', { name: 'person' }))
  expect(change.disabled).toBe(true)
  await user.type(screen.getByLabelText('Repeat your password'), 'a quiet harbour light')
  expect(change.disabled).toBe(false)
  return { server, user, change }
}

test('takes the code out of the address, covers the form while it is sent, ends in success [2.20] [2.22] [4.13] [5.15]', async () => {
  const { promise, resolve } = Promise.withResolvers<{ Success: 1 }>()
  const { server, user, change } = await open(promise)
  expect(window.location.pathname).toBe('/reset-password-verify/opened')
  expect(screen.queryByRole('status', { name: 'Processing' })).toBeNull()
  await user.click(change)
  await screen.findByRole('status', { name: 'Processing' })
  await act(async () => resolve({ Success: 1 }))
  await screen.findByText('All done, you can now sign in with your updated password')
  expect(server.sentTo(resetPasswordActivate)[0]?.input).toEqual({
    password: 'a quiet harbour light',
    captcha: 'solved',
    verifycode: 'the-secret-code',
  })
})

test('ends in the problem message when the code is refused [2.21] [4.13]', async () => {
  const { user, change } = await open(
    Promise.resolve(new Refusal(422, { Success: 0, error: 'This reset code does not work', code: 'rule' })),
  )
  await user.click(change)
  const problem = await screen.findByRole('alert')
  expect(problem.textContent).toContain('only valid for 15 minutes and must be activated from the same device that made the request')
  expect(problem.textContent).toContain('contact your administrator')
  expect(screen.getByRole('button', { name: 'LOGIN' }).getAttribute('href')).toBe('/login')
})

test('the link of a welcome mail says whom it is for, and leads to the login page with the name filled in', async () => {
  const { user, change } = await open(Promise.resolve({ Success: 1 }), '#%D0%B1%D0%BE%D0%B1')
  expect(window.location).toMatchObject({ pathname: '/reset-password-verify/opened', hash: '' })
  expect(screen.getByText('боб')).toBeTruthy()
  await user.click(change)
  await user.click(await screen.findByRole('button', { name: 'LOGIN' }))
  expect(window.location.pathname).toBe('/login')
  expect(screen.getByLabelText<HTMLInputElement>('Login name').value).toBe('боб')
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
})

test('a broken welcome link has its own problem message; an invalid name in it is ignored', async () => {
  const refused = () => Promise.resolve(new Refusal(422, { Success: 0, error: 'This reset code does not work', code: 'rule' }))
  const { user, change } = await open(refused(), '#bob')
  await user.click(change)
  expect((await screen.findByRole('alert')).textContent).toContain('works once, within 72 hours')
  cleanup()
  const other = await open(refused(), '#%')
  await other.user.click(other.change)
  expect((await screen.findByRole('alert')).textContent).toContain('only valid for 15 minutes')
})

test('a password that is too short gets the focus, and says so', async () => {
  const { server, user, change } = await open(Promise.resolve({ Success: 1 }), '', 30)
  await user.click(change)
  const field = screen.getByLabelText('Enter a new password')
  expect([document.activeElement, field.ariaInvalid]).toEqual([field, 'true'])
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe('At least 30 characters')
  expect(server.sentTo(resetPasswordActivate)).toEqual([])
})

test.each([
  { problem: 'the server is busy', status: 503, code: 'unavailable' },
  { problem: 'there were too many attempts', status: 429, code: 'throttled' },
  { problem: 'the captcha is refused', status: 422, code: 'captcha' },
])('the focus stays at the button while the password is sent, and is there when $problem', async ({ status, code }) => {
  const { promise, resolve } = Promise.withResolvers<Refusal>()
  const { user, change } = await open(promise)
  change.focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('status', { name: 'Processing' })
  expect([document.activeElement, change.closest('[inert]')]).toEqual([change, null])
  await act(async () => resolve(new Refusal(status, { error: 'Busy', code })))
  await screen.findByText('Busy')
  expect(document.activeElement).toBe(change)
})
