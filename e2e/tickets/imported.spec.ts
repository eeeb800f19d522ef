import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { planImport } from '@tessera/server/import/export/plan'
import { importExport } from '@tessera/server/import/write'
import { makeOrganization } from '@tessera/server/test/fixtures/factories'
import { expect, password, test } from '../fixtures.ts'

test('an import keeps reporter and date; the importing person is a member; /browse/KEY opens the ticket, also after the sign-in', {
  tag: '@long',
}, async ({ page, product }) => {
  const lead = await product.person({ fullName: 'Dana Kim' })
  const { idOrganization, idUser, login } = lead
  await product.db
    .insertInto('organization_member')
    .values({ organization_id: await makeOrganization(product.db, 'Another of hers'), user_id: idUser, admin: false, manager: false })
    .execute()
  const [shortCode, key] = [`IMP${idUser}`, `TIMOB${idUser}-7`]
  const file = path.join(product.data, `${shortCode}.csv`)
  writeFileSync(
    file,
    [
      'Summary,Issue key,Issue id,Issue Type,Status,Reporter,Created,Description',
      `Wheel squeaks,${key},7,Bug,Open,ann lee,16/Jul/21 06:23,h2. Why`,
    ].join('\r\n'),
  )
  const target = { organizationId: idOrganization, shortCode, title: 'Imported wheels', importerId: idUser }
  await importExport(product.db, { storage: product.storage, file, plan: await planImport(file), target })

  // An address out of an old mail, while nobody is signed in.
  await page.goto(`/browse/${key}`)
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await page.getByLabel('Select organization').click()
  await page.getByRole('option', { name: 'Tessera Test' }).click()
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await page.waitForURL(/\/view-ticket\/\d+$/)
  const fact = (name: string) => page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
  await expect(fact('ID')).toContainText(`imported as ${key}`)
  await expect(fact('Created')).toContainText('by ann lee')
  await page.getByRole('tab', { name: 'History' }).click()
  const first = page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem').last()
  await expect(first.getByText('ann lee')).toHaveCSS('font-weight', '600')
  await expect(first).toContainText('Created')
  await expect(first.locator('time')).toHaveAttribute('title', 'Jul 16, 2021, 6:23 AM')
  await page.getByRole('tab', { name: 'PREVIEW' }).first().click()
  await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible()

  // Signed in, the server leads there at once.
  await page.goto(`/browse/${key.toLowerCase()}`)
  await expect(page).toHaveURL(/\/view-ticket\/\d+$/)
  await page.goto('/home')
  await expect(page.getByRole('main').getByText('Imported wheels').first()).toBeVisible()

  // The tools above a list are one line on a phone, and so are the words of each.
  const { id } = await product.db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', idOrganization)
    .where('short_code', '=', shortCode)
    .executeTakeFirstOrThrow()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/view-project/${id}`)
  const filter = page.getByRole('button', { name: 'FILTER' })
  const tops = await filter.evaluate(({ parentElement }) =>
    [...(parentElement?.children ?? [])].map(tool => tool.getBoundingClientRect().top),
  )
  expect([tops.length, new Set(tops).size]).toEqual([4, 1])
  await filter.click()
  const words = page.getByText('My Tickets', { exact: true })
  expect(
    await words.evaluate(element => element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight)),
  ).toBeLessThan(1.5)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  const edge = async (name: string | RegExp) => {
    const found = await page.getByRole('main').getByRole('button', { name }).first().boundingBox()
    return found && found.x + found.width
  }
  expect(await edge(/columns/i)).toBeLessThanOrEqual(390 - 12)
})
