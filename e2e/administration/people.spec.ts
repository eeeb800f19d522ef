import { makeAssignment, makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, test } from '../fixtures.ts'

test('an admin adds people in one dialog, sees what a person may do, and which tickets somebody leaves behind', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  axe,
}) => {
  const { db } = product
  const idOrganization = await makeOrganization(db, 'Access Works')
  const admin = await product.person({ login: 'gate', admin: true, idOrganization })
  const ada = await product.person({ login: 'ada-gate', fullName: 'Ada Novak', idOrganization })
  const project = await makeProject(db, idOrganization, { title: 'Titanium' })
  await makeMember(db, idOrganization, project.projectId, ada.idUser, [1, 6])
  for (const title of ['Flicker', 'Kernel']) {
    const idTicket = await makeTicket(db, idOrganization, project, { title })
    await makeAssignment(db, idOrganization, project, idTicket, ada.idUser)
  }
  await signIn(page, admin)
  await page.goto('/home')
  await page.getByRole('button', { name: 'NEW USER' }).click()
  const dialog = page.getByRole('dialog', { name: 'New User' })
  await dialog.getByRole('switch', { name: 'Keep open for the next person' }).check()
  await dialog.getByLabel('Login Name').focus()
  for (const login of ['first-gate', 'second-gate']) {
    await expect(dialog.getByLabel('Login Name')).toBeFocused()
    await page.keyboard.type(login)
    await dialog.getByLabel('Email Address').fill(`${login}@example.com`)
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(/^Added: /)).toContainText(login)
  }
  await axe(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const users = page.getByRole('list', { name: 'users' })
  await expect(users.getByRole('button', { name: 'second-gate' })).toBeVisible()
  await users.getByRole('button', { name: 'ada-gate' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit User' })
  await edit.getByRole('button', { name: 'SHOW PERMISSIONS' }).click()
  const access = page.getByRole('dialog', { name: 'What ada-gate may do' })
  await expect(access.getByText('View tickets, Comment')).toBeVisible()
  await expect(access.getByText('2 open tickets are assigned to them.')).toBeVisible()
  await axe(page)
  await page.keyboard.press('Escape')
  await expect(edit.getByRole('button', { name: 'SHOW PERMISSIONS' })).toBeFocused()

  await edit.getByRole('button', { name: 'DEACTIVATE' }).click()
  const question = page.getByRole('alertdialog', { name: 'Deactivate ada-gate?' })
  // In a tab of its own: the question stays.
  const opened = page.waitForEvent('popup')
  await question.getByRole('link', { name: '2 open tickets' }).click()
  const tab = await opened
  await expect(tab.getByRole('link', { name: /Kernel/ })).toBeVisible()
  await tab.close()
  await expect(question).toBeVisible()

  // From the organization's page, and to the project's settings and back.
  await page.goto(`/view-organization/${idOrganization}`)
  await page.getByRole('link', { name: 'ada-gate' }).click()
  await expect(access).toBeVisible()
  await axe(page)
  await access.getByRole('link', { name: /^Titanium/ }).click()
  await expect(page.getByRole('checkbox', { name: 'Comment: ada-gate' })).toBeChecked()
  await page.getByRole('button', { name: 'Remove ada-gate from the project' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Remove ada-gate from the project?' })
  await expect(leaving.getByText('2 open tickets are assigned to them.')).toBeVisible()
  await axe(page)
  await leaving.getByRole('button', { name: 'CANCEL' }).click()
  await page.goBack()
  await expect(access).toBeVisible()
})
