import { randomUUID } from 'node:crypto'
import { expect, listenAt, test } from '../fixtures.ts'

test('a new project gets its set-up from another one, by keyboard', { tag: '@long' }, async ({ page, product, titanium, shoot }) => {
  const { person } = await titanium({ admin: true })
  const { id: idProject } = await product.db
    .insertInto('project')
    .values({ organization_id: person.idOrganization, title: 'Alloy', short_code: `A${randomUUID().slice(0, 8)}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const scripts: string[] = []
  page.on('request', request => scripts.push(request.url()))
  await listenAt(page, `/edit-project/${idProject}`)
  await expect(page.getByText('First step of two:')).toBeVisible()
  const opener = page.getByRole('button', { name: 'COPY FROM ANOTHER PROJECT…' })
  await expect(opener).toBeEnabled()
  await shoot(page, 'edit-project-copy')
  expect(scripts.filter(url => url.includes('copy-set-up-dialog'))).toEqual([])

  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Copy From Another Project' })
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toBeFocused()
  await shoot(page, 'copy-set-up-dialog')
  await page.keyboard.type(`timob${person.idUser}`)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^7 states, \d+ fields, 5 templates, and 3 roles copied from Titanium Mobile$/)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const states = page.getByRole('region', { name: 'Ticket States' })
  await expect(states.getByRole('button', { name: 'In QE Test', exact: true })).toBeVisible()
  await expect(page.getByText('First step of two:')).toHaveCount(0)
  await expect(opener).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
