import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fieldsOf } from '#test/calls/schema-fields.ts';
import { CALLS } from './calls.ts';
import { ConnectedAccount } from './accounts/connected-account.ts';
import { Post } from './accounts/post.ts';
import { BillingInfo, CreditsTransaction, User } from './people/user.ts';

const CARD = ['ccNum', 'ccName', 'ccMonth', 'ccYear', 'cvv'];
const ADDRESS = ['country', 'address', 'apartment', 'city', 'state', 'zip', 'phone'];
const SIGN_UP = ['name', 'email', 'password', 'igUsername', 'package', 'phone'];
const LOGGED_IN = ['id', 'inSubscription', 'connectedAccounts', 'defaultIgUsername'];
const RENAMED = ['connectedAccounts', 'defaultIgUsername', 'defaultIgId', 'profilePic'];
const ACCOUNT = ['igUsername', 'igId', 'profilePic'];

// Shows facts 7.02, 7.03, 7.04, 7.05, 7.06, 7.07, 7.08, 7.10, 7.11, 7.12, 7.13, 7.14.
test.each([
  [CALLS.login, 'POST', '/user/user/login', 'form', ['email', 'password'], LOGGED_IN],
  [CALLS.register, 'POST', '/user/user/register', 'form', SIGN_UP, LOGGED_IN],
  [
    CALLS.findConnectedAccounts,
    'POST',
    '/user/connectedAccount/findByUserId',
    'json',
    ['userId'],
    ACCOUNT,
  ],
  [
    CALLS.addAccount,
    'POST',
    '/user/connectedAccount/addRecord',
    'json',
    ['igUsername', 'userId'],
    ['igUsername', 'igId'],
  ],
  [
    CALLS.updateUsername,
    'POST',
    '/user/connectedAccount/updateUsername',
    'json',
    ['userId', 'oldIgUsername', 'igUsername'],
    RENAMED,
  ],
  [CALLS.getPosts, 'GET', '/user/instagram/getPostsByIgId', 'query', ['igId'], ['items']],
  [
    CALLS.addLikeOrder,
    'POST',
    '/user/creditLikeOrders/addOrder',
    'json',
    ['likes', 'igUsername', 'userId', 'postId', 'shortCode'],
    [],
  ],
  [
    CALLS.buyCredits,
    'POST',
    '/user/creditsTransaction/addRecord',
    'json',
    [...CARD, ...ADDRESS, 'amount', 'credits', 'userId'],
    ['credits'],
  ],
  [
    CALLS.addSubscription,
    'POST',
    '/user/creditsTransaction/addSubscripiton',
    'json',
    [...CARD, ...ADDRESS, 'igUsername', 'packageIndex'],
    ['inSubscription', 'connectedAccounts'],
  ],
  [
    CALLS.verifyUserAndSendEmail,
    'POST',
    '/user/user/verifyUserAndSendEmail',
    'form',
    ['email'],
    [],
  ],
  [CALLS.verifyOtp, 'POST', '/user/user/verify-otp', 'json', ['otp', 'email'], []],
  [CALLS.changePassword, 'POST', '/user/user/change-password', 'json', ['email', 'password'], []],
] as const)(
  'the calls have the method, path, encoding and fields of the specification: %#',
  (call, method, path, encoding, takes, answers) => {
    expect([call.method, call.path, call.encoding]).toEqual([method, path, encoding]);
    expect(fieldsOf(call.input)).toEqual(expect.arrayContaining([...takes]));
    expect(fieldsOf(call.data)).toEqual(expect.arrayContaining([...answers]));
  },
);

// Shows facts 3.01, 3.03, 3.05, 3.07.
test('the data on the wire carry every field of the specification, spelled as there', () => {
  expect(fieldsOf(User)).toEqual(
    expect.arrayContaining([
      'id',
      'name',
      'email',
      'phone',
      'credits',
      'inSubscription',
      'defaultIgUsername',
      'defaultIgId',
      'profilePic',
      'package',
      'connectedAccounts',
      'billingInfo',
      'creditsTransactions',
    ]),
  );
  expect(fieldsOf(BillingInfo)).toEqual(['ccNum', 'ccName', 'ccMonth', 'ccYear']);
  expect(fieldsOf(ConnectedAccount)).toEqual(
    expect.arrayContaining([...ACCOUNT, 'accountPackageId', 'accountPackageSubsriptionDate']),
  );
  expect(fieldsOf(CreditsTransaction)).toEqual(
    expect.arrayContaining(['createdAt', 'igUsername', 'description', 'price', 'billingInfoId']),
  );
  expect(fieldsOf(Post)).toEqual(
    expect.arrayContaining([
      'id',
      'shortcode',
      'display_url',
      'edge_media_preview_like',
      'edge_media_to_comment',
      'totalLikesPurchased',
    ]),
  );
});

// Shows fact 1.11.
test('a password is asked for only where it is the customer’s own with us', () => {
  const asking = Object.entries(CALLS).filter(([, { input }]) =>
    fieldsOf(input).some((field) => /password|passcode|token/i.test(field)),
  );
  // The token is that of a link we have mailed.
  const ofLink = ['acceptInvitation', 'confirmReports', 'findInvitation', 'unsubscribe'];
  const own = [
    'changePassword',
    'deleteAccount',
    'handOver',
    'login',
    'register',
    'updatePassword',
  ];
  expect(asking.map(([name]) => name).sort()).toEqual([...own, ...ofLink, 'signUpInvited'].sort());
});

// Shows fact 6.01.
test('a call is anybody’s or the signed-in customer’s about themselves; none is for administrators', () => {
  for (const call of Object.values(CALLS)) {
    expect(['none', 'required']).toContain(call.session);
    expect(call.path).toMatch(/^\/user\//);
    // Who works in their workspace is the customer's own business.
    if (call.path.startsWith('/user/team/')) continue;
    expect(fieldsOf(call.input).join(' ')).not.toMatch(/role|admin|workspaceId/i);
  }
});

const GOOD = {
  ccNum: '4242424242424242',
  ccName: 'Ada Lovelace',
  ccMonth: '12',
  ccYear: '2030',
  cvv: '123',
  country: 'US',
  address: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  phone: '5550100100',
  userId: '0192d3c0-0000-7000-8000-000000000001',
  igUsername: 'ada',
  packageIndex: 1,
};

// Shows facts 5.03, 5.15, 9.12.
test.each([
  [CALLS.verifyOtp, { otp: '123456', email: 'a@b.co' }, { otp: ['12345', '1234567', '12345a'] }],
  [
    CALLS.addSubscription,
    GOOD,
    {
      phone: ['555010010'],
      ccNum: ['42424242424242424'],
      cvv: ['12345', '12'],
      zip: ['100011', '1000a'],
      ccYear: ['2023', '2035'],
      country: ['PL'],
    },
  ],
] as const)('the limits of the forms hold on the server too: %#', (call, good, bad) => {
  expect(v.safeParse(call.input, good).success).toBe(true);
  const taken = Object.entries<readonly string[]>(bad).flatMap(([field, values]) =>
    values
      .filter((value) => v.safeParse(call.input, { ...good, [field]: value }).success)
      .map((value) => `${field} ${value}`),
  );
  expect(taken).toEqual([]);
});
