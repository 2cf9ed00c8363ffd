#!/bin/sh
# Writes .env for docker-compose.yml, with secrets of its own. An .env that is there stays as it is.
set -eu
cd "$(dirname "$0")/.."
umask 077

if [ -e .env ]; then
  echo ".env is there already: nothing was changed." >&2
  exit 1
fi

# Hexadecimal digits, as the passwords become part of addresses. $1: bytes
hex() {
  head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

new=$(mktemp .env.XXXXXX)
trap 'rm -f "$new"' EXIT
sed \
  -e "s|^JWT_SECRET=\$|JWT_SECRET=$(hex 32)|" \
  -e "s|^ENCRYPTION_KEY=\$|ENCRYPTION_KEY=$(head -c 32 /dev/urandom | base64)|" \
  -e "s|^#POSTGRES_PASSWORD=\$|POSTGRES_PASSWORD=$(hex 24)|" \
  -e "s|^#REDIS_PASSWORD=\$|REDIS_PASSWORD=$(hex 24)|" \
  .env.example > "$new"

for name in JWT_SECRET ENCRYPTION_KEY POSTGRES_PASSWORD REDIS_PASSWORD; do
  if ! grep -q "^$name=." "$new"; then
    echo ".env.example has no line $name= to fill in." >&2
    exit 1
  fi
done
# Not over a file that came meanwhile.
ln "$new" .env
echo ".env is written. Keep a copy of its ENCRYPTION_KEY somewhere else: without it, what is encrypted is lost."
echo "Set APP_URL in it before others use the service, and the Google client to connect Gmail."
