import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { expect, type Product, prepareRoutes, test } from '../fixtures.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

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
  await expect(page.getByRole('button', { name: 'RETURN' })).toBeVisible()
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

test('asks for a reset, opens the mailed link, is refused a common password, sets another and signs in [1.12] [1.13] [2.2] [2.14] [2.15] [2.16] [2.17] [2.18] [2.19] [2.20] [4.13] [4.14] [5.15] [5.16] [5.17] [5.18] [7.47]', async ({
  page,
  product,
  shoot,
}) => {
  const { login } = await product.person({ fullName: 'Dana Kim' })
  await page.goto('/login')
  const script = page.waitForRequest(request => request.resourceType() === 'script' && request.url().includes('render=explicit'))
  await page.getByRole('link', { name: 'Forgot password' }).click()
  expect(new URL((await script).url()).searchParams.get('onload')).toBeTruthy()
  const reset = page.getByRole('button', { name: 'RESET' })
  await expect(reset).toBeDisabled()
  await page.getByLabel('Email address or username').fill(` ${login} `)
  await expect(reset).toBeDisabled()
  await expect(page.getByText('Required: confirm that you are a person')).toBeVisible()
  await shoot(page, 'reset-password')
  await page.getByRole('checkbox', { name: /robot/i }).click()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 20_000 })
  const sent = page.waitForRequest(/reset-password.json/)
  await reset.click()
  expect((await sent).postDataJSON()).toMatchObject({ AuthName: login })
  await expect(page.getByText('Your request was submitted. If the account is found, an email')).toBeVisible()
  await shoot(page, 'reset-password-sent')
  await page.getByRole('button', { name: 'RETURN' }).click()
  await expect(page).toHaveURL('/login')

  const code = await mailedCode(product, `${login}@example.com`)
  await page.goto(`/reset-password-verify/${code}`)
  await expect(page.getByLabel('Enter a new password')).toBeVisible()
  // The code is out of the address before anybody else's script runs.
  expect(page.url()).not.toContain(code)
  const change = page.getByRole('button', { name: 'CHANGE PASSWORD' })
  await page.getByLabel('Enter a new password').fill(newPassword)
  await page.getByLabel('Repeat your password').fill('something else')
  await confirmPerson(page)
  await expect(change).toBeDisabled()
  await expect(page.getByText('Does not match the new password')).toBeVisible()
  await shoot(page, 'reset-password-verify')
  const fill = async (text: string) => {
    for (const label of ['Enter a new password', 'Repeat your password']) await page.getByLabel(label).fill(text)
  }
  await fill('password1')
  await change.click()
  await expect(page.getByRole('alert')).toContainText('tried first')
  // The code still works.
  await fill(newPassword)
  await confirmPerson(page)
  await change.click()
  await expect(page.getByText('All done, you can now sign in with your updated password')).toBeVisible()
  await shoot(page, 'reset-password-done')
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await page.getByLabel('Login name').fill(login)
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await expect(page).toHaveURL('/home')
})

test('a forgotten password: requested, mailed, and set once, only in the same browser [2.21] [9.2]', async ({
  page,
  browser,
  product,
  shoot,
}) => {
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
  await setPassword(page, code)
  await expect(page.getByText('All done, you can now sign in with your updated password')).toBeVisible()
  await setPassword(page, code)
  await expect(page.getByRole('alert')).toContainText('only valid for 15 minutes')
  await expect(page.getByRole('alert')).toContainText('your administrator')
  await expect(page.getByRole('alert')).toContainText(problem)
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  await shoot(page, 'reset-password-problem')
})

test('a request that fails goes back to the form with a captcha to solve again [4.14] [8.25]', async ({ page }) => {
  await prepareRoutes(page)
  await page.route(/public\/reset-password/, route => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/reset-password')
  await page.getByLabel('Email address or username').fill('anybody')
  await confirmPerson(page)
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page.getByText('Password reset request failed')).toBeVisible()
  await expect(page.getByLabel('Email address or username')).toHaveValue('anybody')
  await expect(page.getByRole('button', { name: 'RESET' })).toBeDisabled()
  await expect(page.getByText('Required: confirm that you are a person')).toBeVisible()
})
