import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { throwAwayCluster } from '@tessera/server/test/postgres/database-cluster'
import { startProcess } from '@tessera/server/test/servers/process'
import { expect, password, test } from '../fixtures.ts'

test('the first run: the console prints an address, the browser creates the first account, which signs in; then the address is invalid', async ({
  browser,
  shoot,
}) => {
  test.setTimeout(180_000)
  const data = await mkdtemp(path.join(tmpdir(), 'tessera-first-run-'))
  const cluster = await throwAwayCluster()
  const { user, database, host, port } = cluster.connection
  try {
    await using server = startProcess({
      TESSERA_DATA: data,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
      TESSERA_ADMIN_LOGIN: undefined,
      TESSERA_ADMIN_PASSWORD: undefined,
    })
    const url = await server.ready()
    await expect.poll(() => server.output).toMatch(/\/set-up\/[\w-]+/)
    const address = /\/set-up\/[\w-]+/.exec(server.output)?.[0] ?? ''
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()

    await page.goto('/')
    await expect(page.getByText('Open the set-up address that the server printed')).toBeVisible()
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Set up Tessera' })).toBeVisible()
    await shoot(page, 'set-up')
    await page.getByRole('button', { name: 'CREATE' }).click()
    await expect(page.getByText('Enter the name of your organization')).toBeVisible()
    await page.getByLabel('Login name').fill('founder')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Email Address (optional)').fill('founder@example.org')
    await page.getByLabel('Organization').fill('First Light')
    await page.getByRole('button', { name: 'CREATE' }).click()
    await expect(page.getByText('Use at least 8 characters')).toBeVisible()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'CREATE' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Tessera is ready, you can sign in now')).toBeVisible()
    await expect(page.getByText('Open the set-up address')).toBeHidden()

    await page.getByLabel('Login name').fill('founder')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'LOGIN' }).click()
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('button', { name: 'NEW PROJECT' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'First Light' })).toBeVisible()

    const late = await browser.newContext({ baseURL: url })
    const second = await late.newPage()
    await second.goto(address)
    await expect(second.getByText('Tessera is already set up')).toBeVisible()
    await expect(second.getByLabel('Login name')).toHaveCount(0)
    await second.getByRole('link', { name: 'LOGIN' }).click()
    await expect(second).toHaveURL('/login')
    await late.close()
    await context.close()
  } finally {
    await cluster.stop()
    await rm(data, { recursive: true, force: true })
  }
})
