import type { NewAccount } from '../accounts.ts';
import type { Scene } from '../pictures.ts';

/** One demo account: its profile, what it photographs, and how often it posts. */
export interface CastMember {
  account: Pick<NewAccount, 'username' | 'picture' | 'kind' | 'name' | 'bio' | 'followers'>;
  scenes: readonly Scene[];
  posts: number;
  /** Posts by itself as soon as so many hours have passed since its last post; at any time where none is given. */
  restHours?: number;
}

/**
 * Who is on the network from the start. The demo's customer has plans for four of them, which leave slots of the
 * day free: three post up to three times a day, the first only what people upload. The last two
 * can't be read through the Graph API.
 */
export const CAST: readonly CastMember[] = [
  {
    account: {
      username: 'aurelie.lumen',
      picture: 'face/116.jpg',
      kind: 'creator',
      name: 'Aurélie Marchand',
      bio: 'Evenings by the sea. Prints twice a year.',
      followers: 18_420,
    },
    scenes: ['sunset', 'sea', 'sunset'],
    posts: 64,
    restHours: Infinity,
  },
  {
    account: {
      username: 'northbound.film',
      picture: 'scene/mountains-2.jpg',
      kind: 'creator',
      name: 'Northbound',
      bio: 'Two brothers, one van, a lot of weather.',
      followers: 42_907,
    },
    scenes: ['mountains', 'forest', 'mountains'],
    posts: 60,
    restHours: 10,
  },
  {
    account: {
      username: 'marrow.and.lime',
      picture: 'scene/still-6.jpg',
      kind: 'business',
      name: 'Marrow & Lime',
      bio: 'Kitchen and shop. Open Wednesday to Sunday.',
      followers: 6_310,
    },
    scenes: ['still'],
    posts: 11,
  },
  {
    account: {
      username: 'after.hours.city',
      picture: 'scene/city-7.jpg',
      kind: 'creator',
      name: 'After Hours',
      bio: 'Cities when everyone has gone home.',
      followers: 27_150,
    },
    scenes: ['city', 'city', 'sunset'],
    posts: 56,
    restHours: 10,
  },
  {
    account: {
      username: 'petal.index',
      picture: 'scene/bokeh-6.jpg',
      kind: 'business',
      name: 'Petal Index',
      bio: 'A nursery for difficult flowers.',
      followers: 9_884,
    },
    scenes: ['bokeh', 'bokeh', 'forest'],
    posts: 13,
  },
  {
    account: {
      username: 'dunewalker',
      picture: 'face/42.jpg',
      kind: 'creator',
      name: 'Idris Benali',
      bio: 'Walking the big sand. Guide since 2011.',
      followers: 15_602,
    },
    scenes: ['dunes', 'dunes', 'mountains'],
    posts: 12,
  },
  {
    account: {
      username: 'tidewater.studio',
      picture: 'scene/sea-7.jpg',
      kind: 'business',
      name: 'Tidewater Studio',
      bio: 'Aerial pictures of quiet coasts.',
      followers: 31_075,
    },
    scenes: ['sea', 'sea', 'dunes'],
    posts: 58,
    restHours: 10,
  },
  {
    account: {
      username: 'emil.outdoors',
      picture: 'face/375.jpg',
      kind: 'creator',
      name: 'Emil Strand',
      bio: 'Early trains, long woods, strong coffee.',
      followers: 3_940,
    },
    scenes: ['forest', 'mountains', 'sunset'],
    posts: 9,
  },
  {
    account: {
      username: 'lena.private',
      picture: 'face/227.jpg',
      kind: 'private',
      name: 'Lena',
      bio: 'Friends only.',
      followers: 212,
    },
    scenes: ['bokeh', 'still'],
    posts: 4,
  },
  {
    account: {
      username: 'max.personal',
      picture: 'face/338.jpg',
      kind: 'personal',
      name: 'Max',
      bio: 'Not a business.',
      followers: 148,
    },
    scenes: ['city', 'forest'],
    posts: 3,
  },
];

const CAPTIONS: Readonly<Record<Scene, readonly string[]>> = {
  sunset: [
    'Ten minutes before the wind turned.',
    'Stayed for one more. Glad we did.',
    'The sea kept the color longer than the sky.',
    'No filter, just patience.',
    'Last light off the headland.',
  ],
  mountains: [
    'Up at four for this.',
    'The ridge finally let go of the fog.',
    'Three days in, first clear view.',
    'Cold hands, warm thermos.',
    'It’s farther than it looks. It always is.',
  ],
  dunes: [
    'Sharp until noon, gone by evening.',
    'We followed the crest, not the map.',
    'Every morning a new page.',
    'The quiet here has a sound.',
  ],
  city: [
    'Someone is always still awake.',
    'Blue hour, east bank.',
    'Waiting for the last tram.',
    'Count the windows.',
  ],
  bokeh: [
    'First one open this season.',
    'She took three years to bloom.',
    'Morning, after rain.',
    'From the cold frame by the gate.',
  ],
  still: [
    'On the table this week.',
    'The good ones go first.',
    'Delivered at six, sold by nine.',
    'Tuesday light.',
  ],
  forest: [
    'Nobody on the path but us.',
    'The fog lifted for exactly one picture.',
    'Follow the light, then the smell of coffee.',
    'Kilometer nineteen.',
  ],
  sea: [
    'From above, everyone keeps their distance.',
    'Low tide, 7:40.',
    'Four shades of the same water.',
    'The drone came back. Just.',
  ],
};

export function captionFor(scene: Scene, random: () => number): string {
  const captions = CAPTIONS[scene];
  return captions[Math.floor(random() * captions.length)] ?? '';
}
