import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { UnknownNames } from './unknown-names.tsx'

afterEach(cleanup)

const nothing = 'Nothing matches.'
const words = () => screen.getByText(nothing, { exact: false }).textContent

function showFor(query: string) {
  const server = fakeServer()
  server.on(getLabelList, () => [{ idLabel: 1, Label: 'Überblick', Color: '#888888', Scope: 'project', Tickets: 0 }])
  server.on(getTicketStateList, () => [{ id: 1, Description: 'In review', phase: 2 }])
  server.on(getTicketTemplateList, ({ Archived }) => [{ idTicketTemplate: 1, Description: Archived ? 'Old bug' : 'Bug' }])
  show(
    <p>
      Nothing matches.
      <UnknownNames idProject={1} query={query} />
    </p>,
  )
  return server
}

test('an empty list names the labels, states and types of the query that the project does not have', async () => {
  showFor('label:uberblick,"bgu",none (state:proposed,"in review" or -state:Doen) type:bug,"old bug",Task')
  const missing = ["label 'bgu'", "state 'Doen'", "type 'Task'"].map(what => ` There is no ${what} in this project.`)
  expect((await screen.findByText(/There is no type/)).textContent).toBe(nothing + missing.join(''))
})

test('it reads no list that the query does not need, and says nothing of a text that is no query', async () => {
  const server = showFor('state:active crash')
  await waitFor(() => expect(server.requests).toHaveLength(1))
  expect(server.sentTo(getTicketStateList)).toHaveLength(1)
  expect(words()).toBe(nothing)
  cleanup()
  expect(showFor('label:(').requests).toEqual([])
  expect(words()).toBe(nothing)
})
