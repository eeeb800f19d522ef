import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'

const newPassword = 'a river under ice'

/** Does the built-in captcha as a person with a keyboard does it. */
async function confirmPerson(page: Page) {
  const box = page.getByRole('checkbox', { name: /robot/i })
  await box.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 20_000 })
}

/** The newest reset mail to the address: the code of its link. */
async function mailedCode({ data }: Product, address: string) {
  const folder = path.join(data, 'mail')
  let code: string | undefined
  await expect
    .poll(async () => {
      const names = (await readdir(folder).catch(() => [] as string[])).filter(name => name.endsWith('.eml')).sort()
      const mails = await Promise.all(names.map(name => readFile(path.join(folder, name), 'utf8')))
      const mine = mails.filter(mail => mail.includes(`To: ${address}`)).map(mail => mail.replaceAll('=\r\n', ''))
      code = /reset-password-verify\/([\w-]{43})/.exec(mine.at(-1) ?? '')?.[1]
      return code
    })
    .toBeDefined()
  return code as string
}

async function askForLink(page: Page, name: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByLabel('Email address or username').fill(name)
  await expect(page.getByRole('button', { name: 'RESET', exact: true })).toBeDisabled()
  await confirmPerson(page)
  await page.getByRole('button', { name: 'RESET', exact: true }).click()
  await expect(page.getByRole('link', { name: 'RETURN' }).or(page.getByRole('button', { name: 'RETURN' }))).toBeVisible()
}

async function setPassword(page: Page, code: string) {
  await page.goto(`/reset-password-verify/${code}`)
  await page.getByLabel('Enter a new password').fill(newPassword)
  await page.getByLabel('Repeat your password').fill(newPassword)
  await confirmPerson(page)
  await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
}

async function inAnotherBrowser(browser: Browser, product: Product, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ baseURL: product.url })
  await work(await context.newPage())
  await context.close()
}

const problem = 'must be activated from the same device'

test('a forgotten password: asked for, mailed, set in the same browser and in no other, once', async ({ page, browser, product, axe }) => {
  const { login } = await product.person()
  await askForLink(page, login)
  const code = await mailedCode(product, `${login}@example.com`)
  await inAnotherBrowser(browser, product, async other => {
    await setPassword(other, code)
    await expect(other.getByText(problem)).toBeVisible()
  })
  await page.goto(`/reset-password-verify/${code}`)
  await expect(page.getByRole('checkbox', { name: /robot/i })).toBeVisible()
  expect(page.url()).not.toContain(code)
  await axe(page)
  await setPassword(page, code)
  await expect(page.getByText('All done, you can now sign in with your updated password')).toBeVisible()
  await page.getByRole('link', { name: 'LOGIN' }).click()
  await page.getByLabel('Login name').fill(login)
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await expect(page).toHaveURL(/\/home/)
  await page.context().clearCookies({ name: 'sid' })
  await setPassword(page, code)
  await expect(page.getByText(problem)).toBeVisible()
})

test('a password that is tried first is refused with the reason, and the code still works', async ({ page, product }) => {
  const { login } = await product.person()
  await askForLink(page, login)
  const code = await mailedCode(product, `${login}@example.com`)
  await page.goto(`/reset-password-verify/${code}`)
  for (const label of ['Enter a new password', 'Repeat your password']) await page.getByLabel(label).fill('password1')
  await confirmPerson(page)
  await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
  await expect(page.getByRole('alert')).toContainText('tried first')
  for (const label of ['Enter a new password', 'Repeat your password']) await page.getByLabel(label).fill(newPassword)
  await confirmPerson(page)
  await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
  await expect(page.getByText('All done, you can now sign in with your updated password')).toBeVisible()
})
