/** The parts of the settings that every client has, in their order. */
export const SECTIONS = {
  details: 'Your details',
  password: 'Change password',
  appearance: 'Appearance',
  notifications: 'Notifications',
  devices: 'Where you’re logged in',
  device: 'On this device',
  team: 'Working with others',
  data: 'Your data',
  delete: 'Delete account',
  support: 'Contact support',
} as const;
