import type { Project } from './content.ts'

export const projects: Project[] = [
  {
    title: 'Rider App',
    shortCode: 'RIDE',
    members: { mara: 'all', priya: 'all', tomasz: 'contributor', aiko: [1, 2, 3, 4, 5, 6, 7], lena: [1, 2, 6, 7] },
    team: ['priya', 'tomasz', 'aiko'],
    components: ['iOS', 'Android', 'Payments', 'Map', 'Notifications'],
    tasks: [
      'Agree on the wording of %',
      'Measure how % behaves on a slow connection',
      'Cover % with tests that fail without it',
      'Make % usable with a screen reader',
      'Show % in the dark theme',
      'Write the release note about %',
      'Put % behind a switch for the first hundred riders',
      'Remove the old code for %',
    ],
    epics: [
      {
        title: 'Unlock a bicycle in under five seconds',
        about:
          'Half of the complaints in spring were about waiting at the dock. The way from opening the app to a free bicycle should take five seconds on an ordinary phone.',
        stories: [
          ['Start the camera before the map has loaded', 'the early camera start'],
          ['Unlock with the number when the code is scratched', 'unlocking by number'],
          ['Tell the rider why a dock refuses', 'the refusal messages'],
          ['Keep the last station warm while the app sleeps', 'the background refresh'],
        ],
      },
      {
        title: 'Pay the way people pay here',
        about:
          'Three in ten visitors give up at the payment page. We add the ways to pay they know and stop asking for what we do not need.',
        stories: [
          ['Day ticket without an account', 'the guest ticket'],
          ['Apple Pay and Google Pay on the first screen', 'wallet payments'],
          ['Monthly pass through the employer', 'the employer pass'],
          ['Show what a ride will cost before it starts', 'the price preview'],
        ],
      },
      {
        title: 'Rides that end where they should',
        about:
          'A ride that cannot be ended costs us a call of eleven minutes on average. Ending a ride must work in tunnels, at full stations and with an empty phone.',
        stories: [
          ['End a ride at a full station', 'the overflow parking'],
          ['Lost connection while docking', 'docking without a network'],
          ['Report a bicycle that will not lock', 'the lock report'],
          ['Automatic end after three hours without movement', 'the automatic end'],
        ],
      },
      {
        title: 'A map that knows the town',
        about: 'Riders plan with our map and then find stairs. The map should know one-way streets, building sites and the ferry.',
        stories: [
          ['Cycle routes around building sites', 'the diversion layer'],
          ['Free docks at the time of arrival', 'the dock forecast'],
          ['Stations reachable without stairs', 'step-free routes'],
          ['Offline map of the inner harbor', 'the offline map'],
        ],
      },
      {
        title: 'Support inside the app',
        about: 'Most questions have one of nine answers. People should find it where they are, and reach a person when they do not.',
        stories: [
          ['Answers to the nine most frequent questions', 'the nine answers'],
          ['Send the last ride along with a question', 'the ride attachment'],
          ['Photo of a damage in two taps', 'damage photos'],
        ],
      },
    ],
  },
  {
    title: 'Station Firmware',
    shortCode: 'DOCK',
    members: { mara: 'all', tomasz: 'all', samuel: [1, 2, 6], noor: 'contributor' },
    team: ['tomasz', 'noor'],
    components: ['Lock', 'Radio', 'Display', 'Power', 'Boot loader'],
    tasks: [
      'Reproduce the fault in % on the bench',
      'Log what % does in the last ten seconds',
      'Let % survive a loss of power',
      'Run % for 72 hours at −10 °C',
      'Bring % below 20 mA',
      'Review % with the hardware team',
      'Update the service manual for %',
    ],
    epics: [
      {
        title: 'Locks that survive the winter',
        about: 'Last January 212 docks froze. The motor has the force; it is used too late and for too short a time.',
        stories: [
          ['Move the bolt once an hour below zero', 'the anti-freeze cycle'],
          ['Detect a frozen bolt by its current', 'the current sensor'],
          ['Heat only when a bicycle is booked', 'the heater control'],
          ['Report ice to City Operations', 'the ice report'],
        ],
      },
      {
        title: 'Updates that cannot brick a station',
        about: 'Two stations had to be opened after the September update. An update that fails must leave the old version running.',
        stories: [
          ['Two images and a counted boot', 'the boot counter'],
          ['Signed images from the build server', 'image signatures'],
          ['Roll out by street, stop by itself', 'the staged roll-out'],
          ['Update over the mesh when the mobile network is down', 'mesh updates'],
        ],
      },
      {
        title: 'Half the power, same brightness',
        about: 'Solar stations run dry in December. The display takes two thirds of the energy and shows the same picture most of the day.',
        stories: [
          ['Refresh the display only on a change', 'partial refresh'],
          ['Sleep between radio slots', 'the radio schedule'],
          ['Tell the forecast of the battery', 'the battery forecast'],
        ],
      },
      {
        title: 'Know that a bicycle is really there',
        about:
          'A bicycle that is gone but still shown is the worst kind of error: nobody looks for it. Two independent sensors should agree.',
        stories: [
          ['Compare the tag with the switch', 'the double check'],
          ['Find tags that were swapped', 'the tag audit'],
          ['Alarm for a bicycle lifted out of a locked dock', 'the lift alarm'],
        ],
      },
    ],
  },
  {
    title: 'City Operations',
    shortCode: 'OPS',
    members: { mara: 'all', samuel: 'all', noor: 'contributor', lena: [1, 2, 6, 7], priya: [1, 6] },
    team: ['samuel', 'noor'],
    components: ['Harbor', 'Old town', 'University', 'Hill district', 'Workshop'],
    tasks: [
      'Walk the route of % with the crew',
      'Order the parts for %',
      'Ask the district office about %',
      'Photograph % before and after',
      'Train the evening shift in %',
      'Count how often % is needed in a week',
      'Put up the notice about %',
    ],
    epics: [
      {
        title: 'Open the university loop before the term',
        about:
          'Nine stations between the main building and the halls of residence. The permit ends on the last day of the month, so the ground works come first.',
        stories: [
          ['Station at the library, twenty docks', 'the library station'],
          ['Station at the north gate, solar', 'the north gate station'],
          ['Move the bus stop sign at the canteen', 'the bus stop sign'],
          ['Sixty bicycles from the winter store', 'the sixty bicycles'],
        ],
      },
      {
        title: 'Full in the morning, empty at night',
        about:
          'The harbor stations are full at eight and the hill is empty. Four vans drive in circles. We want to move fewer bicycles and the right ones.',
        stories: [
          ['Second van on the hill from six to nine', 'the early van'],
          ['A bonus for riding uphill', 'the uphill bonus'],
          ['Trailer for twelve bicycles', 'the trailer'],
          ['Plan of moves on the crew’s phones', 'the plan of moves'],
        ],
      },
      {
        title: 'Every bicycle through the workshop once a quarter',
        about:
          'Brakes wear faster than we check them. Each bicycle gets twenty minutes on the stand four times a year, and a record of it.',
        stories: [
          ['Check list of twenty points', 'the check list'],
          ['Exchange of all front brake pads', 'the brake pads'],
          ['Tires that hold the cobblestones', 'the new tires'],
          ['Bells that are loud enough', 'the bells'],
        ],
      },
      {
        title: 'Damage by storm and by hand',
        about: 'What the October storm and two weekends left behind. Each place is photographed, made safe, and repaired or given up.',
        stories: [
          ['Quay 4: three docks torn out', 'the three docks at quay 4'],
          ['Old town: screens scratched at five stations', 'the scratched screens'],
          ['Hill: water in the foundation box', 'the foundation box'],
        ],
      },
    ],
  },
  {
    title: 'Website and Brand',
    shortCode: 'WEB',
    members: { mara: 'all', aiko: 'all', greta: [1, 2, 6], victor: [1] },
    team: ['aiko', 'mara'],
    components: ['Pages', 'Pictures', 'Words', 'Press'],
    tasks: [
      'Sketch three ways to show %',
      'Show % to five riders and listen',
      'Translate % into Polish and Turkish',
      'Check % at 360 pixels',
      'Bring % below 200 kB',
      'Find somebody who approves %',
    ],
    epics: [
      {
        title: 'One page that answers what it costs',
        about: 'The tariff page has eleven links and no figure. A visitor should read a price without scrolling.',
        stories: [
          ['Price table for visitors, residents, students', 'the price table'],
          ['Calculator for a day in town', 'the calculator'],
          ['Plain words for the terms', 'the terms'],
        ],
      },
      {
        title: 'Pictures of this town, not of any town',
        about: 'The pictures on the home page were bought and show another country. A photographer follows two crews for a week.',
        stories: [
          ['Contract with the photographer', 'the contract'],
          ['Portraits of the people behind the bicycles', 'the portraits'],
          ['Winter series at the harbor', 'the winter series'],
        ],
      },
      {
        title: 'Ready for the press on opening day',
        about: 'The mayor rides first. Journalists need pictures, three numbers and a telephone that is answered.',
        stories: [
          ['Press kit with ten pictures', 'the press kit'],
          ['Three numbers that are true', 'the three numbers'],
          ['Questions we will be asked', 'the list of questions'],
        ],
      },
    ],
  },
]

/** A small project in an organization of its own, which Mara and Priya can choose at sign-in. */
export const secondOrganization = 'Larkfield Foundation'
export const secondProject: Project = {
  title: 'Grants 2027',
  shortCode: 'GRANT',
  members: { mara: 'all', priya: 'contributor' },
  team: ['mara', 'priya'],
  components: ['Youth', 'Repair cafés'],
  tasks: ['Ask two people who know %', 'Write the budget of %', 'Send the answer about %'],
  epics: [
    {
      title: 'Applications of the spring round',
      about: 'Fourteen applications came in. The board decides on five and wants a page about each.',
      stories: [
        ['Repair café in the old fire station', 'the repair café'],
        ['Cycling lessons for the new neighbors', 'the cycling lessons'],
        ['A hundred lights for schoolchildren', 'the hundred lights'],
      ],
    },
  ],
}
