/** People in one workspace. */
export const MEMBERS_LIMIT = 100;
/** Invitations nobody has answered yet, of one workspace. */
export const OPEN_INVITATIONS_LIMIT = 20;
export const INVITATION_HOURS = 48;
/** A replica of somebody else's workspace may be read for so long without a word of the server. */
export const LEASE_DAYS = 7;
/** Clients of one workspace, archived ones included. */
export const CLIENTS_LIMIT = 1000;
export const CLIENT_NAME_LENGTH = 80;
