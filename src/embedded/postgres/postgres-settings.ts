const MIB = 1024 * 1024;

/**
 * Server settings for a small machine shared with the service itself.
 *
 * @param memoryBytes the machine's memory
 * @param durable false gives up crash safety for speed (tests)
 */
export function postgresSettings(memoryBytes: number, durable: boolean): Record<string, string> {
  const memoryMib = memoryBytes / MIB;
  return {
    listen_addresses: '127.0.0.1',
    // Everything goes over the loopback port: no socket file whose path could be too long.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: memoryMib >= 3072 ? '256MB' : '128MB',
    effective_cache_size: `${Math.max(256, Math.floor(memoryMib / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: memoryMib >= 3072 ? '256MB' : '64MB',
    random_page_cost: '1.1',
    jit: 'off',
    // No replica ever follows this server: less to write.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    log_min_messages: 'warning',
    // Statements carry users' addresses and subjects; they stay out of the log.
    log_min_error_statement: 'panic',
  };
}
