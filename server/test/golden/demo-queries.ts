import type { GoldenQuery } from './genuine-queries.ts'

/** Over the sample organization of `npm run demo`: the short set, which needs no data from elsewhere. By titles, chosen by reading its content. */
export const demoQueries: readonly GoldenQuery[] = [
  { query: 'camera before map', finds: ['Start the camera before the map has loaded'], why: 'three words of the title' },
  { query: 'code scratched number', finds: ['Unlock with the number when the code is scratched'], why: 'the title, in another order' },
  { query: 'guest day ticket account', finds: ['Day ticket without an account'], why: 'title, and what its text calls it' },
  { query: 'apple google pay', finds: ['Apple Pay and Google Pay on the first screen'], why: 'the two ways to pay' },
  { query: 'docking lost connection', finds: ['Lost connection while docking'], why: 'title' },
  { query: 'three hours without movement', finds: ['Automatic end after three hours without movement'], why: 'the end of the title' },
  { query: 'ferry building sites', finds: ['A map that knows the town'], why: 'its text: what the map should know' },
  { query: 'stairs reachable', finds: ['Stations reachable without stairs'], why: 'title' },
  { query: '"complaints in spring"', finds: ['Unlock a bicycle in under five seconds'], why: 'a phrase of its text' },
  { query: 'visitors give payment page', finds: ['Pay the way people pay here'], why: 'its text: three in ten visitors' },
  { query: 'offline harbor', finds: ['Offline map of the inner harbor'], why: 'title' },
  { query: 'damage photo taps', finds: ['Photo of a damage in two taps'], why: 'title' },
]
