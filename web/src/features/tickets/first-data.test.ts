import { getTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { callQuery } from '../../lib/calls/api.ts'
import { queryClient } from '../../lib/calls/query-client.ts'
import { takeTicket } from './first-data.ts'

function answers(text: string) {
  window.firstCalls = new Map([[`${getTicketData.path} {"idTicket":7}`, Promise.resolve({ status: 200, text, retryAfter: null })]])
}
const cached = () => queryClient.getQueryData(callQuery(getTicketData, { idTicket: 7 }).queryKey)

test('an early answer that is no JSON, as from the sign-in page of a network, is left out', async () => {
  answers('<h1>Welcome to our café</h1>')
  await takeTicket({ params: { id: '7' }, search: '' })
  expect(cached()).toBeUndefined()
  answers('{"idTicket":7}')
  await takeTicket({ params: { id: '7' }, search: '' })
  expect(cached()).toEqual({ idTicket: 7 })
})
