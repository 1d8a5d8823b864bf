/** Spellings of hosts that nobody listed; most of them mean this machine or its neighbours. */
const HOSTS = [
  ['127.0.0.1', '127.1', '127.0.1', '127.127.127.127', '127.0.0.1.', '0', '0.0.0.0', '00', '0x0'],
  [
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0x7f.1',
  ],
  ['127.0x0.0.01', '①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1'],
  ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ['[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]'],
  [
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ],
  ['10.0.0.1', '10.1', '167772161', '0xa000001', '172.16.0.1', '172.31.255.254', '2886729729'],
  ['192.168.0.1', '192.168.1.254', '3232235521', '0xc0a80001', '0300.0250.0.1', '100.64.0.1'],
  ['169.254.169.254', '169.254.43518', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ['169.254.170.2', '100.100.100.200', '192.0.0.192', '[::ffff:169.254.169.254]', '198.18.0.1'],
  ['[::ffff:a9fe:a9fe]', '224.0.0.1', '255.255.255.255', '8.8.8.8', '93.184.215.14', '[2606::1]'],
  ['localhost', 'LOCALHOST', 'localhost.', 'localhost.localdomain', 'ip6-localhost', 'ｌocalhost'],
  ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'a.localhost', '127.0.0.1.nip.io', '7f000001.nip.io', 'localtest.me', 'lvh.me'],
  ['metadata.google.internal', 'metadata', 'instance-data', 'kubernetes.default.svc', 'postgres'],
  ['redis', 'db', 'vault.service.consul', 'host.docker.internal', 'gateway.docker.internal'],
  ['router', 'wpad', 'intranet', 'xn--localhost', 'evil.example', 'evil.test', 'cdn', 'example'],
  ['evilcdn.example', 'cdn.example.evil.test', 'cdn-example', 'cdn.examplee', 'cdn.example.com'],
  ['cdn.example.', 'cdn..example', '.cdn.example', 'cdn.exam\u00adple.evil.test', 'cdn.éxample'],
  [
    'cdn.exаmple',
    'cdn.example%2eevil.test',
    'cdn.example%00.evil.test',
    'cdn.example%0a.evil.test',
  ],
  ['192.168.0.1.', '10.0.0.1.nip.io', '169.254.169.254.', '169.254.169.254.nip.io', '1.1.1.1'],
  [
    '127.0.0.1.xip.io',
    'spoofed.burpcollaborator.net',
    'customer1.app.localhost.my.company.127.0.0.1.nip.io',
  ],
  ['%31%32%37.0.0.1', '%6c%6f%63alhost', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0a00:0001]'],
  ['[fec0::1]', '[100::1]', '[3fff::1]', '[2001:db8::1]', '[::1%25lo]', '[v1.x]', '0177.0.0.0x1'],
  ['a.cdn.example', 'img.example', 'evilimg.example', '.img.example', 'a.img.example.evil.test'],
  ['img.example.', 'x.img.example.', 'a.img.example%2eevil.test', 'a.img。example。evil.test'],
].flat();

/** Addresses whose trick isn't the host alone. */
const URLS = [
  ['http://cdn.example@evil.test/', 'http://cdn.example:80@127.0.0.1/', 'http://a@cdn.example/'],
  ['http://a:b@cdn.example/', 'http://:b@cdn.example/', 'http://cdn.example%40evil.test/'],
  ['http://cdn.example:PORT@cdn.example/', 'http://evil.test#@cdn.example/'],
  [
    'http://evil.test?@cdn.example/',
    'http://evil.test\\@cdn.example/',
    'http://evil.test\\.cdn.example',
  ],
  [
    'http://127.0.0.1:PORT#cdn.example',
    'http://127.0.0.1:PORT?cdn.example',
    'http:127.0.0.1:PORT/',
  ],
  [
    'http:/127.0.0.1:PORT/',
    'http:///127.0.0.1:PORT/',
    'http://///127.0.0.1:PORT/',
    '\\\\127.0.0.1\\x',
  ],
  [
    '//127.0.0.1:PORT/',
    '//cdn.example/',
    '/proxy/x',
    'cdn.example/1.jpg',
    'cdn.example:80/1.jpg',
    '',
  ],
  [
    'http://',
    'http:',
    'https://',
    '://cdn.example',
    ' ',
    '?',
    '#',
    'http://[',
    'http://[::1',
    'http://%',
  ],
  ['http://cdn.example:81/', 'http://cdn.example:443/', 'https://cdn.example:80/'],
  ['http://cdn.example:22/', 'http://cdn.example:25/', 'http://cdn.example:3306/'],
  ['http://cdn.example:5432/', 'http://cdn.example:6379/', 'http://cdn.example:11211/'],
  [
    'http://cdn.example:65536/',
    'http://cdn.example:0/',
    'http://cdn.example:-1/',
    'http://cdn.example:1e1/',
  ],
  ['http://a.img.example:8080/', 'http://a.img.example:PORT/', 'http://cdn.example:PORT/'],
  ['file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'file://cdn.example/etc/passwd'],
  ['ftp://cdn.example/1.jpg', 'gopher://cdn.example/_x', 'dict://cdn.example:11211/stat'],
  ['ldap://cdn.example/', 'tftp://cdn.example/x', 'ws://cdn.example/', 'wss://cdn.example/'],
  ['data:image/png;base64,AAAA', 'javascript:alert(1)', 'blob:http://cdn.example/x', 'about:blank'],
  ['jar:http://cdn.example!/', 'view-source:http://cdn.example/', 'unix:/var/run/docker.sock'],
  ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'smb://cdn.example/x', 'mailto:a@cdn.example'],
  [
    'http://ev\til.test/',
    'http://ev\nil.test/',
    'http://\u0000cdn.example/',
    'http://cdn.example\u0000.evil.test/',
  ],
  [
    'http://cdn.example\r\n.evil.test/',
    'http://evil.test/\r\nHost: cdn.example',
    'ht\ntp://evil.test/',
  ],
].flat();

/** What must never be connected to when only `cdn.example` and `*.img.example` are listed. */
export function hostileUrls(port: number): string[] {
  return [...HOSTS.map((host) => `http://${host}:PORT/1.jpg`), ...URLS].map((url) =>
    url.replaceAll('PORT', String(port)),
  );
}
