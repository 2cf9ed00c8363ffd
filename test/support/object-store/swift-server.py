"""Runs OpenStack Swift with its S3 API in one directory: four servers that share one import of their code.

usage: swift-server.py DIRECTORY OBJECT_PORT CONTAINER_PORT ACCOUNT_PORT PROXY_PORT MEMCACHED_PORT ACCOUNTS
"""

import ctypes
import getpass
import os
import signal
import sys
import warnings

warnings.simplefilter('ignore')

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import run_wsgi  # noqa: E402

PR_SET_PDEATHSIG = 1

HASHES = """
[swift-hash]
swift_hash_path_prefix = mailroom
swift_hash_path_suffix = tests
[storage-policy:0]
name = Policy-0
default = yes
"""

DEFAULTS = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {etc}
devices = {devices}
mount_check = false
disable_fallocate = true
log_level = WARNING
log_address = {etc}/no-syslog
"""

STORAGE = """
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
allow_versions = true
"""

PROXY = """
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
check_bucket_owner = false
dns_compliant_bucket_names = true
allow_multipart_uploads = true
min_segment_size = 5242880
storage_domain = localhost
[filter:tempauth]
use = egg:swift#tempauth
{users}
[filter:slo]
use = egg:swift#slo
[filter:symlink]
use = egg:swift#symlink
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
allow_object_versioning = true
"""


USERS = """user_test{number}_tester = testing .admin .reseller_admin
user_test{number}_guest = testing"""


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def make_ring(etc, kind, port):
    builder = RingBuilder(4, 1, 1)
    device = {'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'd1', 'meta': ''}
    address = {'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port}
    builder.add_dev({**device, **address})
    builder.rebalance()
    builder.get_ring().save(os.path.join(etc, kind + '.ring.gz'))


def serve(etc, kind):
    """In a child process that does not outlive this one."""
    parent = os.getpid()
    if os.fork() > 0:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    os._exit(run_wsgi(os.path.join(etc, kind + '-server.conf'), kind + '-server') or 0)


def main():
    directory = sys.argv[1]
    ports = dict(zip(('object', 'container', 'account', 'proxy', 'memcached'), map(int, sys.argv[2:7])))
    users = '\n'.join(USERS.format(number=number + 1) for number in range(int(sys.argv[7])))
    etc = os.path.join(directory, 'etc')
    devices = os.path.join(directory, 'srv')
    os.makedirs(etc)
    os.makedirs(os.path.join(devices, 'd1'))
    write(os.path.join(etc, 'swift.conf'), HASHES)
    for kind in ('object', 'container', 'account', 'proxy'):
        rest = PROXY.format(memcached=ports['memcached'], users=users) if kind == 'proxy' else STORAGE.format(kind=kind)
        head = DEFAULTS.format(port=ports[kind], user=getpass.getuser(), etc=etc, devices=devices)
        write(os.path.join(etc, kind + '-server.conf'), head + rest)
        if kind != 'proxy':
            make_ring(etc, kind, ports[kind])
    for kind in ('object', 'container', 'account', 'proxy'):
        serve(etc, kind)
    # One that ends takes the others with it: half a store would only make tests wait.
    os.wait()


if __name__ == '__main__':
    main()
