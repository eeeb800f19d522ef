/** A query, the tickets that must be among its first ten results, and why: what somebody who looks for them remembers. */
export interface GoldenQuery {
  query: string
  /** Original keys. */
  finds: readonly string[]
  why: string
}

/**
 * Over the 22,371 issues of TIMOB, chosen by reading issues, not by searching. Each query has the words that a person keeps in mind: from the
 * title, the description, a comment, the name of a file or a label.
 */
export const genuineQueries: readonly GoldenQuery[] = [
  // Words of the title, as remembered: not all of them, not in their order.
  {
    query: 'scrollview tableview contentHeight auto',
    finds: ['TIMOB-12153'],
    why: 'title: scrollview with a tableview, contentHeight auto',
  },
  {
    query: 'alert dialog text alignment long message',
    finds: ['TIMOB-14944'],
    why: 'title: alignment differs when the message is very long',
  },
  {
    query: 'apiversion validation native modules npm',
    finds: ['TIMOB-27204'],
    why: 'title: apiversion validation fails for modules from npm',
  },
  { query: 'connect with facebook fails silently', finds: ['TIMOB-1940'], why: 'title: the button fails silently' },
  { query: 'watchkit build watch extension edited', finds: ['TIMOB-19316'], why: 'title: fails to build if the watch extension is edited' },
  { query: 'flash popover landscape portrait', finds: ['TIMOB-2878'], why: 'title: iPad flash popover, in one orientation then the other' },
  { query: 'annotations images render mapView reopen', finds: ['TIMOB-16502'], why: 'title: particular images in annotations' },
  { query: 'isExteralStoragePresent', finds: ['TIMOB-2336'], why: 'title: the misspelled name of a property' },
  { query: 'resumed recent apps exiting back', finds: ['TIMOB-23969'], why: 'title and description: exiting by back, recent apps menu' },
  { query: 'picker getValue incorrect time', finds: ['TIMOB-15908'], why: 'title: getValue returns incorrect time' },
  { query: 'hyperloop memory leak', finds: ['TIMOB-23435'], why: 'title: Hyperloop: iOS Memory Leak' },
  { query: 'transpiling ES5 tiapp transpile', finds: ['TIMOB-24610'], why: 'title: ES6 by transpiling, the property transpile' },
  { query: 'download video save gallery', finds: ['TIMOB-24400'], why: "title: download a video and save it to the device's gallery" },
  { query: 'operation header was invalid passcode', finds: ['TIMOB-5223'], why: 'title: the message, and that the device has a passcode' },
  { query: 'gitignore overwrite build android', finds: ['TIMOB-2446'], why: "title: don't overwrite .gitignore" },
  {
    query: 'window pixel format gradients',
    finds: ['TIMOB-4104'],
    why: 'title: expose the pixel format; description: gradients look blocky',
  },
  { query: 'settings.bundle fails load', finds: ['TIMOB-15907'], why: 'title: Settings.bundle fails to load' },
  { query: 'deployment targets extensions', finds: ['TIMOB-18627'], why: 'title: different deployment targets for extensions' },
  { query: 'drawerlayout tabgroup', finds: ['TIMOB-25535'], why: 'title: DrawerLayout with TabGroup' },
  { query: 'google analytics android 5.0', finds: ['TIMOB-23689'], why: 'title: Google Analytics not working in Android 5.0' },
  { query: 'javaShortArrayToJsNumberArray', finds: ['TIMOB-13170'], why: 'title: the name of a function' },
  { query: 'weak global references release', finds: ['TIMOB-25021'], why: 'title: unable to release weak global references' },
  { query: 'hide master popover', finds: ['TIMOB-2300'], why: 'title: hide the master popover on iPad' },
  { query: 'short audio clipped', finds: ['TIMOB-2173'], why: 'title: short audio gets clipped' },
  { query: 'background drawable action bar', finds: ['TIMOB-11644'], why: 'title: change the background drawable of the action bar' },
  { query: 'EULA accepted simulator', finds: ['TIMOB-28531'], why: 'title: the build does not say that the EULA is not accepted' },
  { query: 'key-frame animation system', finds: ['TIMOB-13377'], why: 'title: a new key-frame based animation system' },
  { query: 'search filter loses section headers', finds: ['TIMOB-9323'], why: 'title: section headers are lost after a search' },
  { query: 'siri shortcuts intents', finds: ['TIMOB-26101'], why: 'title: Siri Shortcuts via Intents' },
  { query: 'deadlock app termination multitasking', finds: ['TIMOB-2900'], why: 'title: deadlock for devices without multitasking' },
  // A message, a name or a number out of the description.
  { query: '"Object.keys called on non-object"', finds: ['TIMOB-16961'], why: 'the message of the error, as a phrase' },
  { query: 'sqlite LIKE ängs', finds: ['TIMOB-16144'], why: 'the Swedish word of the example, beside LIKE' },
  { query: 'angs sqlite', finds: ['TIMOB-16144'], why: 'the same from a keyboard without ä' },
  { query: '256-color depth transparency tRNS', finds: ['TIMOB-16502'], why: 'description: the kind of PNG that fails' },
  {
    query: 'java.lang.OutOfMemoryError uploading files 10 MB',
    finds: ['TIMOB-24244'],
    why: 'description: what is thrown, and from which size',
  },
  { query: 'jiffy lube', finds: ['TIMOB-7509'], why: 'description: the client whose project broke' },
  { query: 'droid turbo density', finds: ['TIMOB-20292'], why: 'title: the device and the property' },
  { query: 'setHasFixedSize', finds: ['TIMOB-28568'], why: 'description: the method that Android offers' },
  { query: 'TabSpec title tag', finds: ['TIMOB-1655'], why: 'description: the title is the tag of the TabSpec' },
  { query: 'rgba(30,30,30,0.5)', finds: ['TIMOB-18821'], why: 'description: the color of the warning' },
  { query: 'KS_nav_ui.png toBlob', finds: ['TIMOB-8046'], why: 'description: the picture of the failing call' },
  { query: 'zabbix', finds: ['TIMOB-12727'], why: 'description: the screen of the monitoring' },
  // Words that stand in a comment alone.
  { query: 'UNCOMPRESS_DATA_MAX', finds: ['TIMOB-8646'], why: 'comment: the constant in the log of the crash' },
  { query: 'node-sqlite3 ripped', finds: ['TIMOB-19481'], why: 'comment: somebody had ripped it out of the SDK' },
  { query: 'iotashan node 4', finds: ['TIMOB-19481'], why: 'comment: who was answered, about Node 4' },
  { query: 'aliases policies once', finds: ['TIMOB-18039'], why: 'comment: an opinion on aliases; title: once, on and off' },
  { query: 'NSUserActivity siri', finds: ['TIMOB-26101'], why: 'comment: the way by NSUserActivity' },
  { query: 'vendorDependencies ioslib xcode range', finds: ['TIMOB-26426'], why: 'comment: where the supported range comes from' },
  // Labels. Jira's export names attachments, but the import brings no files: their names cannot be found.
  { query: 'label:qe-testadded thumbImage', finds: ['TIMOB-6595'], why: 'a label of hundreds of tickets, and the property' },
  { query: 'label:i18n localizing strings tiapp', finds: ['TIMOB-2703'], why: 'a label, and words of the title' },
  {
    query: 'search filter section headers -android',
    finds: ['TIMOB-9323'],
    why: 'title; what is about Android is left out: the ticket is about iOS',
  },
  { query: '(label:regression or label:api) search filter headers', finds: ['TIMOB-9323'], why: 'it has both labels; words of the title' },
  { query: 'keyboardToolbar disappears multiple displays', finds: ['TIMOB-15940'], why: 'title: after multiple displays' },
  // What the import brings beside texts: priority, resolution, component, environment and links.
  {
    query: 'priority:critical tizen emulator hang mavericks',
    finds: ['TIMOB-15455'],
    why: 'a priority; title: the emulator hangs at launch on Mavericks',
  },
  {
    query: 'resolution:"cannot reproduce" pull refresh table rows',
    finds: ['TIMOB-9450'],
    why: 'how it was closed; title: pull to refresh adds no more rows',
  },
  { query: 'component_s:ios ipad pro icon splash screen', finds: ['TIMOB-19544'], why: 'one of its two components; words of the title' },
  { query: 'searchview crash i8262', finds: ['TIMOB-18784'], why: 'environment: the model of the phone; title: the view that crashes' },
  {
    query: 'has:link is:open continuous focus mode media',
    finds: ['TIMOB-23848'],
    why: 'it is blocked by another issue, and open; title and description: the focus mode',
  },
  // Beginnings, keys, excluded words, several tickets.
  { query: 'bottomnavigationv', finds: ['TIMOB-25200'], why: 'the beginning of a class name, while it is typed' },
  { query: 'title:anti-aliasing text', finds: ['TIMOB-782'], why: 'title alone: text still anti-aliasing' },
  { query: 'thumbImage disappears slider', finds: ['TIMOB-6595'], why: 'title: a custom image of the slider disappears' },
  { query: 'minimumFontSize randomly', finds: ['TIMOB-24801'], why: 'title: changes size randomly' },
  { query: 'statusbar GREY GRAY deprecate', finds: ['TIMOB-27649'], why: 'title: deprecate the constants; description: both spellings' },
  {
    query: 'action bar background drawable not ios',
    finds: ['TIMOB-11644'],
    why: "title; what is about iOS is left out: action bars are Android's",
  },
  { query: 'autoRedirect createHTTPClient', finds: ['TIMOB-16817'], why: 'title: the property and the method' },
]
