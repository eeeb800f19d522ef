import type { Locator, Page } from '@playwright/test'
import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import type { Product } from '../fixtures.ts'

export async function makeStudio(product: Product, options: { permissions?: number[] } = {}) {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ fullName: 'Dana Kim', admin: options.permissions === undefined, idOrganization })
  const project = await makeProject(product.db, idOrganization, { title: 'Titanium Mobile', shortCode: 'TIMOB' })
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, options.permissions ?? 'all')
  const lee = await product.person({ fullName: 'Lee Park', idOrganization })
  const member = await makeMember(product.db, idOrganization, project.projectId, lee.idUser)
  const nora = await product.person({ fullName: 'Nora Ames', idOrganization })
  return { idOrganization, admin, lee, nora, member, project, url: `/edit-project/${project.projectId}` }
}

/** The names in their order. */
export function names(card: Locator) {
  return card.locator('tbody th').allTextContents()
}

export async function drag(page: Page, handle: Locator, onto: Locator, place = 0.5) {
  // Waits until it stops moving.
  await handle.hover()
  const from = await handle.boundingBox()
  const to = await onto.boundingBox()
  if (!from || !to) throw new Error('not on the screen')
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2 + 8, { steps: 2 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height * place, { steps: 8 })
  // The rows have made room after two frames; no person releases the button sooner.
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.mouse.up()
}
