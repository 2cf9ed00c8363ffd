/** The tables of MS-PST 5.1: `R` encodes a byte of a file with compressible encryption, and `I` decodes it. */
export const R = Buffer.from(
  'QTYTYqghbrv0FswEf2ToXR7yyyp0xV410pVHnpYtmohMfYQ/26wxtkhf9sTYOYvnIzs4jsjB3yWxIKVGYE6c+6rTVlFFfFUAB8kr' +
    'nYWbCaCPrbMPY6uJS9enFVpxZkK/JkprmPrqd1OycAUs/Vk6hn7OBuuCeFfHjUOvtBzUW83i6SdPwwhygM+w7/Uobb4wTTSS1Q48' +
    'IjLl5PmfwtEKgRLh7pGDduOX5mGKF3mkt9yQelyMAqbKad5QGhGTuVKHWPztHTdJG2rgKTOZvWzZlPNAVG/wxnO41j5lGEQf3WcQ' +
    '8QwZ7K4DoRR7qQv/+KPAogH3LrwkaHUN/rovtdDaPQ==',
  'base64',
);
export const S = Buffer.from(
  'FFMPVrPIepzrZUgXFhWfAsxUfIMADQwLomKodtvZ7cfFpNyshXTW0KebrpqWcWbDY5m43XOSjoR9pV7RXZOxV1FQgIlSlE9OCmu8' +
    'jX9uR0ZBQEQBEcsDP/f04amPPDr5+/AZMIIJLsmdoIZJ7m9NbcQtgTQlhxuIqvwGoRI4/UxCcmQTNyRqdXdD/+a0SzZc5Ng1PUW5' +
    'LOy3MSspB2ijDml7GJ4hOb4oGlt49SPKKrCvPv4EjOflmDKV0/ZK6Kbq6fPVL3Ag8h8FZ61VEM7N4yc72rrXwibUkR3SHCIz+Prx' +
    'Wu/PkLaLtb3AvwiXHmziYeDGwVmru1jeX99geX6yig==',
  'base64',
);
export const I = Buffer.from(
  'R/G05gtqckiFTp7r4viUU+C7oALoWgmr2+O6xnzDEN05BZYw9TdggozJE0prHfP7jyaXypEXAcQyLW4xlf/ZI9EAXnncRDsaKMVh' +
    'VyCQPYO5Q75n0kZCdsBtW36yDxYpPKkDVA3aXd/2t8dizY0G02lchtYU96Vmdayx6UUhcAyHn3SkIkxvvx9Wqi6zeDNQsKOSvM8Z' +
    'HKdjyx5NPksbm0/n8O6tOrVZBOpAVSVR5XqJOGhSe/wnrte9+gf0zI5f7zWchCsV1Xc0SbYSCn9xiP2dGEF9k9hYLM7+JK/euDbI' +
    'oYCmmZioLw6BZXPkwqKK1OER0AiLKvLtmmQ/wWz57A==',
  'base64',
);

/** The checksum of MS-PST 5.3: CRC-32 that begins with 0 and is not inverted. */
export function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC[(crc ^ byte) & 0xff]!;
  return crc >>> 0;
}

const CRC = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
