import { expect, prepareRoutes, test } from '../fixtures.ts'

const message = 'Tessera could not be loaded. Please check the connection and load the page again.'

for (const file of ['index', 'vendor'])
  test(`a page whose ${file} script cannot be loaded says so`, async ({ page, complaints }) => {
    await prepareRoutes(page)
    await page.route(new RegExp(`/assets/${file}-[^/]*\\.js$`), route => route.abort())
    await page.goto('/login')
    await expect(page.getByRole('status')).toHaveText(message)
    expect(complaints.splice(0).filter(words => !words.includes('ERR_FAILED'))).toEqual([])
  })

test('a browser that does not understand the scripts is said to be too old', async ({ page, complaints }) => {
  await prepareRoutes(page)
  await page.route(/\/assets\/index-[^/]*\.js$/, route => route.fulfill({ contentType: 'text/javascript', body: 'let later = =>' }))
  await page.goto('/login')
  await expect(page.getByRole('status')).toHaveText('This browser is too old for Tessera. Please update it.')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('SyntaxError')])
})
