import type { Page } from '@playwright/test'
import { expect, type Product, prepareRoutes, test } from '../fixtures.ts'

interface Widget {
  sitekey: string
  callback: (answer: string) => void
  'expired-callback': () => void
}
declare global {
  interface Window {
    widget?: Widget
  }
}

/** A fake provider: a script from another address that reports its parameters to the test. */
const provider = `window.provider = { render: (element, options) => { window.widget = options; element.textContent = 'Are you a person?' } }
window[new URL(document.currentScript.src).searchParams.get('onload')]()`

async function useProvider(page: Page) {
  await page.route(/client-config/, async route => {
    const answer = await route.fetch()
    const captcha = { script: '/provider.js?v=2', global: 'provider', siteKey: 'a-site-key', options: { theme: 'dark', size: 'compact' } }
    await route.fulfill({ response: answer, json: { ...(await answer.json()), captcha } })
  })
  await page.route(/provider\.js/, route => route.fulfill({ contentType: 'text/javascript', body: provider }))
}
const solve = (page: Page, answer: string) => page.evaluate(text => window.widget?.callback(text), answer)

async function openActivation(page: Page, product: Product) {
  await useProvider(page)
  await page.goto(`${product.url}/reset-password-verify/code`)
  await expect(page.getByText('Are you a person?')).toBeVisible()
  for (const label of ['Enter a new password', 'Repeat your password']) await page.getByLabel(label).fill('a river under ice')
  await expect(page.getByRole('button', { name: 'CHANGE PASSWORD' })).toBeDisabled()
  await solve(page, 'solved')
}

test('a provider gets site key, options and language, and its answer counts until it expires [1.12] [1.13] [1.14] [5.16] [5.18] [5.19] [7.47]', async ({
  page,
}) => {
  await prepareRoutes(page)
  await useProvider(page)
  const script = page.waitForRequest(/provider\.js/)
  await page.goto('/reset-password')
  expect(Object.fromEntries(new URL((await script).url()).searchParams)).toMatchObject({
    v: '2',
    render: 'explicit',
    onload: expect.stringMatching(/./),
    hl: 'en',
  })
  await expect(page.getByText('Are you a person?')).toBeVisible()
  expect(await page.evaluate(() => window.widget)).toMatchObject({ sitekey: 'a-site-key', theme: 'dark', size: 'compact', hl: 'en' })
  const reset = page.getByRole('button', { name: 'RESET' })
  await page.getByLabel('Email address or username').fill('somebody')
  await expect(reset).toBeDisabled()
  await solve(page, 'first')
  await expect(reset).toBeEnabled()
  await page.evaluate(() => window.widget?.['expired-callback']())
  await expect(reset).toBeDisabled()
  await expect(page.getByText('Required: confirm that you are a person')).toBeVisible()
  await solve(page, 'second')
  const sent = page.waitForRequest(/reset-password\.json/)
  await reset.click()
  expect((await sent).postDataJSON()).toEqual({ AuthName: 'somebody', Captcha: 'second' })
})

test('the activation is covered while it is sent, and ends in success or the problem [2.19] [2.20] [2.21] [2.22] [4.13]', async ({
  page,
  product,
  axe,
}) => {
  await prepareRoutes(page)
  for (const [answer, text] of [
    [{ json: { Success: 1 } }, 'All done, you can now sign in with your updated password'],
    [
      { status: 422, json: { Success: 0, error: 'No', code: 'rule' } },
      'only valid for 15 minutes and must be activated from the same device',
    ],
  ] as const) {
    await openActivation(page, product)
    const overlay = page.getByRole('status', { name: 'Processing' })
    await page.route(/reset-password-activate/, async route => {
      await expect(overlay).toBeVisible()
      await axe(page)
      await route.fulfill(answer)
    })
    await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
    await expect(page.getByText(text)).toBeVisible()
    await expect(overlay).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
    await page.unroute(/reset-password-activate/)
  }
  await expect(page.getByText('your administrator')).toBeVisible()
})
