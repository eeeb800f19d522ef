import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/factories'
import { expect, password, test } from './fixtures.ts'

test('a link that is opened signed out leads there after the sign-in; a sign-out asks for what is unsaved', async ({ page, product }) => {
  const { db } = product
  const idOrganization = await makeOrganization(db, 'Morning Works')
  const person = await product.person({ idOrganization })
  const other = await makeOrganization(db, 'Evening Works')
  await db
    .insertInto('organization_member')
    .values({ organization_id: other, user_id: person.idUser, admin: false, manager: false })
    .execute()
  const project = await makeProject(db, idOrganization, { title: 'Harbour' })
  await makeMember(db, idOrganization, project.projectId, person.idUser, 'all')
  const ticket = await makeTicket(db, idOrganization, project, { title: 'Repaint the crane' })
  const list = `/view-project/${project.projectId}?phase=1%2C2&sort=ID.asc`
  const login = page.getByLabel('Login name')
  const signInHere = async () => {
    await login.fill(person.login)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Select organization').click()
    await page.getByRole('option', { name: 'Morning Works' }).click()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  }

  // A filtered list; with a reload, a look at the forgotten password and the choice of the organization in between.
  await page.goto(list)
  await expect(page).toHaveURL('/login')
  await page.reload()
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByRole('button', { name: 'CANCEL' }).click()
  await signInHere()
  await expect(page).toHaveURL(list)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Harbour')

  // A comment and a field that are not saved.
  await page.goto(`/view-ticket/${ticket}`)
  await page.getByLabel('Add comment').fill('Not sent')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'STAY' }).click()
  await expect(page.getByLabel('Add comment')).toHaveValue('Not sent')
  await page.getByLabel('Description', { exact: true }).fill('Repaint both cranes')
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'LEAVE' }).click()
  await expect(page).toHaveURL('/login')
  await expect(login).toBeFocused()

  // A ticket of a mail. A user who opens the login page comes to the usual first page.
  await page.goto(`/view-ticket/${ticket}?tab=history#comments`)
  await expect(page).toHaveURL('/login')
  await signInHere()
  await expect(page).toHaveURL(`/view-ticket/${ticket}?tab=history#comments`)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.goto('/profile')
  await expect(page).toHaveURL('/login')
  await page.goto('about:blank')
  await page.goto('/login')
  await signInHere()
  await expect(page).toHaveURL(`/view-project/${project.projectId}`)
})
