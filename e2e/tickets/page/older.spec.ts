import { sql } from 'kysely'
import { expect, test } from '../../fixtures.ts'

test('of 250 comments the latest hundred are shown, and each click shows more, up to the first one', { tag: '@long' }, async ({
  page,
  titanium,
  product,
}) => {
  const { tickets } = await titanium()
  await sql`
    insert into comment (organization_id, ticket_id, text)
    select organization_id, id, 'remark ' || i || '.' from ticket cross join generate_series(1, 250) i where id = ${tickets.kernel} order by i`.execute(
    product.db,
  )
  await page.goto(`/view-ticket/${tickets.kernel}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  const more = comments.getByRole('button', { name: 'SHOW OLDER COMMENTS' })
  await expect(comments.getByText('remark 151.')).toBeVisible()
  await expect(comments.getByText('remark 150.')).toHaveCount(0)
  await more.click()
  await expect(comments.getByText('remark 51.')).toBeVisible()
  await more.click()
  await expect(comments.getByText('remark 1.')).toBeVisible()
  await expect(more).toHaveCount(0)
  // A new one moves the pages on, and the one between them is there.
  await comments.getByLabel('Add comment').fill('One more')
  await comments.getByRole('button', { name: 'SAVE' }).click()
  await expect(comments.getByText('remark 151.')).toBeVisible()
})
