/* Made by `npm run sdk` from openapi.json: not to be edited. */
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description For orchestrators: restart the process when the status is not 200.
         */
        get: operations["health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that database, Redis and storage are available
         * @description For load balancers: send no requests while the status is not 200. The problem document names the dependencies that do not answer.
         */
        get: operations["health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions, the one used last first
         * @description One for each sign-in that has neither ended nor expired: its device, its address and its times. At most 500.
         *
         *     API keys cannot call this.
         */
        get: operations["sessions.list"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Only the one that asks stays; API keys stay too.
         *
         *     API keys cannot call this.
         */
        delete: operations["sessions.endOthers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Its device is signed out at once, in every process, and its event streams end. Ending the current one is signing out.
         *
         *     API keys cannot call this.
         */
        delete: operations["sessions.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API keys, newest first
         * @description Name, scope, accounts, expiry and last use of each key. The keys themselves are shown only at creation.
         *
         *     API keys cannot call this.
         */
        get: operations["apiKeys.list"];
        put?: never;
        /**
         * Create an API key
         * @description Only this response contains the key. A key can be limited to some mailbox accounts and can expire.
         *
         *     API keys cannot call this.
         */
        post: operations["apiKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description It is refused from then on, and its event streams end.
         *
         *     API keys cannot call this.
         */
        delete: operations["apiKeys.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of two-factor sign-in
         * @description Includes the number of unused recovery codes.
         *
         *     API keys cannot call this.
         */
        get: operations["twoFactor.getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a secret for an authenticator app
         * @description It takes effect when a code from the app is sent to `enable`. Until then, repeating the request creates a new secret.
         *
         *     API keys cannot call this.
         */
        post: operations["twoFactor.setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/2fa/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch two-factor sign-in on
         * @description From now on, signing in with the password requires a code. The user's other sessions end. The recovery codes are shown only once.
         *
         *     API keys cannot call this.
         */
        post: operations["twoFactor.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch two-factor sign-in off
         * @description Signing in no longer requires a code, and the recovery codes become invalid.
         *
         *     API keys cannot call this.
         */
        post: operations["twoFactor.disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/2fa/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create new recovery codes
         * @description They are shown only once. The earlier codes become invalid.
         *
         *     API keys cannot call this.
         */
        post: operations["twoFactor.renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a user and sign them in
         * @description The first user of the installation becomes its administrator.
         */
        post: operations["auth.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description Answers 401 `totp-required` when the password is right and a one-time code is needed too, and 401 `totp-invalid` when the code is wrong or was already used. Answers 409 `totp-unreadable` when the service cannot read the secret of the codes any more. After 10 failures within 15 minutes the account refuses sign-in for a while.
         */
        post: operations["auth.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair of tokens
         * @description Send the refresh token in the body, or in the browser's cookie. Using a token twice ends the session; only the cookie, which all tabs of a browser send, may come again within ten seconds of its use, and is answered 409 `refresh-in-progress` then: the next request has the new cookies.
         */
        post: operations["auth.refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session
         * @description Its access tokens are refused at once, in every process, and its event streams end.
         *
         *     API keys cannot call this.
         */
        post: operations["auth.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description The user's other sessions end; this one and API keys stay. Needs a one-time code where those are on. Answers 403 `password-invalid` or `totp-invalid` with the field that is wrong; after 10 wrong ones within 15 minutes the user has to wait.
         *
         *     API keys cannot call this.
         */
        post: operations["auth.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an invitation
         * @description Says whom it is for. The token stays good.
         */
        post: operations["auth.readInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation and sign in
         * @description Sets the user's first password; the token is used up.
         */
        post: operations["auth.acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start signing in with the identity provider
         * @description If the provider is unavailable, browsers are sent to `/login?error=oidc-unavailable`; clients that accept JSON get a problem document.
         */
        get: operations["singleSignOn.login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive the browser from the identity provider
         * @description Opens a session and redirects into the application, or passes on the error.
         */
        get: operations["singleSignOn.callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start linking your user to the identity provider
         * @description Open the returned URL in the same browser. Users with two-factor sign-in need this once, as do users who registered with a password; other users are linked at their first sign-in with the same verified address.
         *
         *     API keys cannot call this.
         */
        post: operations["singleSignOn.link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink your user from the identity provider
         * @description Signing in then requires the password, so a user without a password cannot unlink.
         *
         *     API keys cannot call this.
         */
        post: operations["singleSignOn.unlink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sign-in options
         * @description Whether users can register, which mail providers can be connected, whether single sign-on is available, and what else a client needs to know before anybody has signed in.
         */
        get: operations["auth.config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user and their mailbox accounts
         * @description The `id` of a mailbox account is the `accountId` of other routes.
         *
         *     API keys cannot call this.
         */
        get: operations["auth.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
         * @description The e-mail address, role and limits are for administrators.
         *
         *     API keys cannot call this.
         */
        patch: operations["auth.updateMe"];
        trace?: never;
    };
    "/api/auth/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the display preferences
         * @description Language, time zone, colours and density of the pages; null follows the browser.
         *
         *     API keys cannot call this.
         */
        get: operations["auth.getPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the display preferences
         * @description Omitted ones stay; `null` follows the browser again.
         *
         *     API keys cannot call this.
         */
        patch: operations["auth.updatePreferences"];
        trace?: never;
    };
    "/api/auth/mailbox/{accountId}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a mailbox account off or on
         * @description While an account is off, its live routes answer 409 and its schedules pause; its archive stays readable. A disconnected account stays off.
         *
         *     API keys cannot call this.
         */
        patch: operations["mailboxAccounts.toggle"];
        trace?: never;
    };
    "/api/mailbox/{accountId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile of a mailbox
         * @description Address, totals and history cursor.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ids of messages that match a query
         * @description `q` is a query in the provider's own language. Only ids are returned; `messages/batch` returns the metadata of up to 100 of them. `nextPageToken` is `null` on the last page.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the metadata of up to 100 messages
         * @description In the order of the request. Unknown ids are left out.
         *
         *     API keys need scope `read`.
         */
        post: operations["mailbox.getMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a message
         * @description Headers and labels, without the text.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/{messageId}/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a full message in the provider’s own format
         * @description Headers, parts and attachments, in the structure that the provider defines.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.getFullMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment of a live message
         * @description Returns the decoded content of one part. `partId` is the one in the full message.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.downloadAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the labels of a mailbox
         * @description System labels and user labels. Counts are `null` where the provider returns none.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.listLabels"];
        put?: never;
        /**
         * Create a label
         * @description The label appears in the mailbox at once.
         *
         *     API keys need scope `write`.
         */
        post: operations["mailbox.createLabel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/labels/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a label and remove it from its messages
         * @description The messages stay. System labels cannot be deleted.
         *
         *     API keys need scope `write`.
         */
        delete: operations["mailbox.deleteLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream jobs, toasts and mailbox accounts as server-sent events
         * @description One stream for a page: `job` as in `/api/jobs/events`, `notification` as in `/api/notifications/events`, and `account` with each mailbox account, at first and when it has changed. Only `notification` events have ids. A comment every 15 seconds keeps the connection open. The stream ends with the session.
         *
         *     API keys cannot call this.
         */
        get: operations["liveUpdates.stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start connecting a mailbox
         * @description Open the returned URL in the browser: the provider asks for consent there. The consent is bound to this client, by a cookie in this response or by the access token of this request.
         *
         *     API keys cannot call this.
         */
        get: operations["mailboxAccounts.connect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive the browser from the mail provider
         * @description Redirects to the settings page of the application and passes on the outcome.
         */
        get: operations["mailboxAccounts.callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/imap/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the IMAP servers of an address
         * @description Known providers, what the domain publishes (autoconfig, SRV records), and the usual name, for 8 seconds at most; the surest first. No password is involved: choose a server before you send one.
         *
         *     API keys cannot call this.
         */
        post: operations["imapAccounts.discover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/imap/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try to enter a mailbox by IMAP, without connecting it
         * @description Resolves the host, connects with TLS, logs in, lists the folders, opens INBOX for reading, and compares the size of three messages. A failure is an answer as well: with what to change, and with the certificate when it could not be verified.
         *
         *     API keys cannot call this.
         */
        post: operations["imapAccounts.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/imap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect a mailbox by IMAP
         * @description The mailbox is entered first, as by the test; what the server says of a refusal is in `serverText`. With `accountId` an account is connected again: only the password is needed when its server is the same.
         *
         *     API keys cannot call this.
         */
        post: operations["imapAccounts.connect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mailbox/{accountId}/imap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the IMAP server of a mailbox
         * @description Its capabilities, and what its folders are for, are as they were found last.
         *
         *     API keys cannot call this.
         */
        get: operations["imapAccounts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the IMAP server of a mailbox, or what its folders are for
         * @description Host, port, protection, user name and certificate change only together with the password, and when the mailbox can be entered so.
         *
         *     API keys cannot call this.
         */
        patch: operations["imapAccounts.update"];
        trace?: never;
    };
    "/api/mailbox/{accountId}/selections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze the messages that a query finds now
         * @description At most 50,000. For 15 minutes the selection stands for exactly these messages, even if mail arrives or changes: bulk changes and archiving take its `id` with the `count` that a person has confirmed. A user has 10 selections; the oldest gives way to an eleventh.
         *
         *     API keys need scope `write`.
         */
        post: operations["mailbox.createSelection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many messages
         * @description Starts a job that applies one action to up to 50,000 messages, named by `messageIds` or by `selectionId`. `trash` can be undone for 30 days, `delete` cannot. `label` and `unlabel` need a `labelId` that exists.
         *
         *     API keys need scope `write`.
         */
        post: operations["mailbox.startBulkOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether a job can be undone
         * @description Bulk changes, rule runs and undos can for 30 days, moves to the trash for 29, unless the trash was emptied before. Deletions and archiving cannot.
         *
         *     API keys need scope `read`.
         */
        get: operations["jobs.getUndo"];
        put?: never;
        /**
         * Undo a job
         * @description Starts a job that takes back what the job itself has changed, as far as it came. Messages that somebody has changed in the same way since are left alone, and named as failures. An undo can be undone.
         *
         *     API keys need scope `write`.
         */
        post: operations["jobs.undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your jobs, newest first
         * @description Arrays in `payload` longer than 100 items are cut, and `payload_truncated` is set; the detail of a job has the whole payload. `before` returns older jobs.
         *
         *     API keys need scope `read`.
         */
        get: operations["jobs.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream live updates of all your jobs
         * @description Server-sent events: first all unfinished jobs, then each change, at most four a second per job. A comment every 15 seconds keeps the connection open. The stream ends with the session.
         *
         *     API keys need scope `read`.
         */
        get: operations["jobs.streamAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job with its payload and queue state
         * @description `queueState` is the job's current state in the queue.
         *
         *     API keys need scope `read`.
         */
        get: operations["jobs.get"];
        put?: never;
        post?: never;
        /**
         * Cancel a job
         * @description An active job stops at the end of its current batch; what it has done stays done. Cancelling a cancelled job again has no effect.
         *
         *     API keys need scope `write`.
         */
        delete: operations["jobs.cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream live updates of a job
         * @description Server-sent events: first the job as it is now, then each change. The server ends the stream when the job has ended.
         *
         *     API keys need scope `read`.
         */
        get: operations["jobs.streamOne"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take up a failed or cancelled job again
         * @description It keeps its jobId and goes on where it was, within 30 days of its end. Encryption and IMAP import cannot: their secrets are erased with the end. Neither can rules, which choose their messages anew when they are run again. An mbox import can within a day of its failure, while its file is kept.
         *
         *     API keys need scope `write`.
         */
        post: operations["jobs.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{jobId}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a job over the items that failed in a completed one
         * @description For bulk changes and archiving. At most 1,000 failed items are remembered by name; when more failed, start the job again instead: it skips what is done.
         *
         *     API keys need scope `write`.
         */
        post: operations["jobs.retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive messages as EML
         * @description Starts a job that copies messages into the archive. Takes `messageIds`, a provider `query` or a `selectionId`. With `differential`, messages that are already archived are skipped.
         *
         *     API keys need scope `write`.
         */
        post: operations["archive.archiveMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search archived mails, newest first unless sorted
         * @description `q` searches subject, sender, recipients, attachment names and text, ignoring case and accents. All words must match; `"phrases"` and `-word` are supported, and the last word may be a prefix.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/mails/{mailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an archived mail
         * @description The mail's record with its raw text and attachments. `emlContent` is `null` for encrypted mails and for mails above 25 MiB.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.getMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/mails/{mailId}/eml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an archived mail as EML
         * @description The message exactly as the mail provider delivered it. Byte ranges are supported.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.downloadEml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/attachments/{attachmentId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment of an archived mail
         * @description The decoded content of the attachment. Byte ranges are supported.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.downloadAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count archived mails by label, sender and month
         * @description Of the mails that match the filters, which are those of the lists.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.getFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the archives of all your mailboxes, newest first unless sorted
         * @description Takes the filters of the list of one archive. Disconnected mailboxes are included. The first 1,000 mails can be listed; narrow the search, or list one archive, for more.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search archived threads, latest first
         * @description Threads with at least one mail that matches the filters. Each summary covers the whole thread.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.listThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/threads/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thread
         * @description All archived mails of the thread, oldest first.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete archived mails for good
         * @description Starts a job that deletes the mails named, or those that match a filter, with their files. They cannot be restored; the mailbox is not touched. `confirmedCount` is how many mails somebody has seen: if another number would be deleted, nothing is. Mail that is archived later is not deleted.
         *
         *     API keys need scope `write`.
         */
        post: operations["archive.deleteMails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archiving/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings and the state of continuous archiving
         * @description An account that never had it is `off`.
         *
         *     API keys need scope `read`.
         */
        get: operations["archiving.get"];
        /**
         * Change continuous archiving
         * @description Omitted fields stay unchanged. Switched on, it first compares the ledger with the whole mailbox, in a job, and then copies what is missing. Switching it off keeps everything that is archived.
         *
         *     API keys need scope `write`.
         */
        put: operations["archiving.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archiving/{accountId}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the ledger with the mailbox now
         * @description A job lists every message of the mailbox; what is missing is copied. Joins a comparison that is under way.
         *
         *     API keys need scope `write`.
         */
        post: operations["archiving.reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/export-zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export archived mails as ZIP
         * @description Streams a ZIP of EML files and a manifest with their SHA-256 hashes.
         *
         *     API keys need scope `read`.
         */
        post: operations["archive.exportZip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/export-mailbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export archived mails as a mailbox that other programs read
         * @description Streams a ZIP with a Maildir++ tree or mbox files, and `labels.json`, which has the labels, size and SHA-256 of each mail. Every byte of a message is as it was archived. At most 100,000 mails.
         *
         *     API keys need scope `read`.
         */
        post: operations["archive.exportMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{accountId}/export-mbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export archived mails as mbox
         * @description Streams an mboxrd file, oldest mail first. Without `mailIds` it contains all archived mails of the account.
         *
         *     API keys need scope `read`.
         */
        post: operations["import.exportMbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare an export for download
         * @description Answers an address that is good for ten minutes: a browser downloads the file from it without holding it in memory. Which mails are exported is fixed now; an mbox file of a filter without conditions has all mails that there are when it is downloaded, in any number. A ZIP takes at most 10,000 mails, an mbox file 50,000. The passphrase of encrypted mails is checked now and kept sealed until the address expires. A user has at most five prepared exports: a further one takes the place of the oldest.
         *
         *     API keys need scope `write`.
         */
        post: operations["archive.prepareExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a prepared export
         * @description Streams the ZIP or mbox file, as often as it is asked for until it expires. If a mail of it has been deleted meanwhile, prepare it again.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/storage/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the storage configuration
         * @description Without a configuration only `type: local`. Credentials are never returned.
         *
         *     API keys need scope `read`.
         */
        get: operations["storage.getConfig"];
        /**
         * Choose where new mail is stored
         * @description Archived mail stays where it is and remains readable. Sending the same endpoint and bucket again replaces the access keys. If the object store refuses the configuration, the answer is 400 and names the field.
         *
         *     API keys need scope `write`.
         */
        put: operations["storage.updateConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/storage/test-objstore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an object store by writing, reading and deleting an object
         * @description If the test fails, the status is still 200: `success` is false, and `error` says why.
         *
         *     API keys need scope `write`.
         */
        post: operations["storage.testObjectStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{accountId}/mbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an mbox file into the archive
         * @description Answers when the upload is complete; a job then imports the file. Its `result` counts `imported`, `duplicates` (the same bytes, or the same Message-ID and content, are in the archive), `sameIdDifferent` (imported although another message has the Message-ID), `failed`, `separators` (lines that began a message) and `fromLinesInText` (lines that begin with `From ` and were taken for text). At most two uploads of a user can wait for the end of their import, together half as large again as the room in the storage quota; the kept files of failed imports give way to a new one.
         *
         *     API keys need scope `write`.
         */
        post: operations["import.importMbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{accountId}/imap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a folder from an IMAP server
         * @description Starts a job that copies the folder into the archive. Nothing on the server changes. The job's `result` counts `imported`, `duplicates` (the same bytes, or the same Message-ID and content, are in the archive), `sameIdDifferent` (imported although another message has the Message-ID) and `failed`.
         *
         *     API keys need scope `write`.
         */
        post: operations["import.importImap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{accountId}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploads that are not complete
         * @description Newest first: those that can be resumed.
         *
         *     API keys need scope `read`.
         */
        get: operations["import.listUploads"];
        put?: never;
        /**
         * Begin an upload that can be paused and resumed
         * @description Send the file in chunks, then complete the upload. It is given up a day after its last chunk, or when another upload needs the room and nothing has arrived for 15 minutes. It counts like an upload in one request: at most two of a user can wait for the end of their import, together half as large again as the room in the storage quota.
         *
         *     API keys need scope `write`.
         */
        post: operations["import.createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{accountId}/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an upload that is not complete
         * @description Its `offset` says where the next chunk begins.
         *
         *     API keys need scope `read`.
         */
        get: operations["import.getUpload"];
        put?: never;
        post?: never;
        /**
         * Give up an upload that is not complete
         * @description Deletes what has arrived of it.
         *
         *     API keys need scope `write`.
         */
        delete: operations["import.deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Send the next chunk of an upload
         * @description The bytes of the file from `Upload-Offset` on, at most `chunkBytes`; the answer says where the next chunk begins. Of a request that breaks off, what has arrived counts: get the upload and go on at its `offset`. A chunk that begins elsewhere is refused, and the right offset is in the header `Upload-Offset` of the answer; so is a second chunk while one is under way.
         *
         *     API keys need scope `write`.
         */
        patch: operations["import.uploadChunk"];
        trace?: never;
    };
    "/api/import/{accountId}/uploads/{uploadId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an upload that is complete
         * @description Starts the same job as an upload in one request. Done again, it answers the same job.
         *
         *     API keys need scope `write`.
         */
        post: operations["import.completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the restores of an archive, newest first
         * @description Those that expired more than 90 days ago are gone.
         *
         *     API keys need scope `read`.
         */
        get: operations["restore.listRestores"];
        put?: never;
        /**
         * Plan a restore
         * @description Starts a dry run, which counts the archived mails that would be put back into their mailbox, into another one of yours, or onto an IMAP server, and the labels that would be created. Nothing changes until it is started, for which there are 24 hours. At most 100,000 mails.
         *
         *     API keys need scope `write`.
         */
        post: operations["restore.planRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/{accountId}/{restoreId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a restore
         * @description What its dry run has counted, and how far it has come.
         *
         *     API keys need scope `read`.
         */
        get: operations["restore.getRestore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/{accountId}/{restoreId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails of a restore, oldest first
         * @description Each with its outcome, once it has one.
         *
         *     API keys need scope `read`.
         */
        get: operations["restore.listRestoreItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/{accountId}/{restoreId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the report of a restore
         * @description Streams a line of JSON for each mail, as the list of its mails has it.
         *
         *     API keys need scope `read`.
         */
        get: operations["restore.downloadRestoreReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/restore/{accountId}/{restoreId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a restore
         * @description Starts a job that puts the mails of a dry run back, oldest first; nothing is ever added twice. One that was stopped goes on where it was, for seven days. Its `result` counts the mails by outcome. Encrypted mails take the passphrase.
         *
         *     API keys need scope `write`.
         */
        post: operations["restore.startRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your retention policies, newest first
         * @description Active and inactive policies, each with its last run and the number of mails it has deleted.
         *
         *     API keys need scope `read`.
         */
        get: operations["retention.list"];
        put?: never;
        /**
         * Create a retention policy
         * @description Every night it deletes archived mail older than `maxAgeDays`: of one account or all accounts, with one label or any.
         *
         *     API keys need scope `write`.
         */
        post: operations["retention.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retention/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run all your active retention policies now
         * @description Answers when all of them have run. If the client disconnects, the run stops after its current batch; running again continues with the rest.
         *
         *     API keys need scope `write`.
         */
        post: operations["retention.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retention/{policyId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview what a retention policy would delete
         * @description Works for active and inactive policies. Deletes nothing.
         *
         *     API keys need scope `read`.
         */
        get: operations["retention.preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/retention/{policyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a retention policy
         * @description Omitted fields stay unchanged. `null` removes the account or the label, so that the policy applies to all.
         *
         *     API keys need scope `write`.
         */
        put: operations["retention.update"];
        post?: never;
        /**
         * Delete a retention policy
         * @description Mail that it has deleted is not restored.
         *
         *     API keys need scope `write`.
         */
        delete: operations["retention.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the checks of the archive have found
         * @description Every file is hashed again within a week and compared with the hash of its mail. Remains available after the mailbox is disconnected.
         *
         *     API keys need scope `read`.
         */
        get: operations["archive.getIntegrity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/integrity/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check all archives now
         * @description Starts a job that reads and hashes every archived file of every user and deletes files that belong to no mail. It notifies the owners of damaged mails; its result has the counts and their ids. If a check of yours is running, its job is returned.
         *
         *     API keys cannot call this.
         */
        post: operations["admin.checkIntegrity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what became of each message
         * @description Each message of the mailbox, spam and trash included, is in one of five classes, and these add up to the mailbox as of the provider's cursor in `asOf`.
         *
         *     API keys need scope `read`.
         */
        get: operations["coverage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/{accountId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a class
         * @description By id; verified and archived ones by the day of their verification first.
         *
         *     API keys need scope `read`.
         */
        get: operations["coverage.listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/{accountId}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what became of a message
         * @description With a sentence for people. The class of a message that only the archive has is `null`.
         *
         *     API keys need scope `read`.
         */
        get: operations["coverage.getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/{accountId}/deletable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask which messages may be deleted from the mailbox
         * @description Those that are verified, are neither drafts nor in the trash, and whose copies no retention policy removes within 30 days. While coverage is not exact, none may. Nothing is deleted.
         *
         *     API keys need scope `read`.
         */
        post: operations["coverage.askDeletable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved searches in order
         * @description In the order of `sort_order`, which `reorder` sets. Of both scopes by default.
         *
         *     API keys need scope `read`.
         */
        get: operations["savedSearches.list"];
        put?: never;
        /**
         * Save a search
         * @description Its `sort_order` is 0. Searches with the same `sort_order` are listed oldest first.
         *
         *     API keys need scope `write`.
         */
        post: operations["savedSearches.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-searches/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorder your saved searches
         * @description The searches in `ids` come first, in this order; the others follow in their present order. If an id is unknown, nothing changes.
         *
         *     API keys need scope `write`.
         */
        put: operations["savedSearches.reorder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/saved-searches/{searchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a saved search
         * @description Omitted fields stay unchanged. `null` removes the icon or the colour.
         *
         *     API keys need scope `write`.
         */
        put: operations["savedSearches.update"];
        post?: never;
        /**
         * Delete a saved search
         * @description The messages that it finds are not affected.
         *
         *     API keys need scope `write`.
         */
        delete: operations["savedSearches.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rule templates
         * @description Each template contains the conditions, the action and the schedule of a rule.
         *
         *     API keys need scope `read`.
         */
        get: operations["rules.listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules of a mailbox, newest first
         * @description Active and inactive rules, each with its last run and the number of messages it found.
         *
         *     API keys need scope `read`.
         */
        get: operations["rules.list"];
        put?: never;
        /**
         * Create a rule
         * @description A rule with a schedule runs by itself unless `is_active` is false; a rule without one runs on demand.
         *
         *     API keys need scope `write`.
         */
        post: operations["rules.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{accountId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what conditions would find
         * @description Applies no action. Spam and trash are searched only if a condition asks for them.
         *
         *     API keys need scope `read`.
         */
        post: operations["rules.preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{accountId}/from-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a rule from a template
         * @description The rule can be changed like any other.
         *
         *     API keys need scope `write`.
         */
        post: operations["rules.createFromTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{accountId}/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a rule
         * @description Omitted fields stay unchanged. `conditions` replaces all conditions.
         *
         *     API keys need scope `write`.
         */
        put: operations["rules.update"];
        post?: never;
        /**
         * Delete a rule
         * @description What it has changed stays changed. A run in progress ends.
         *
         *     API keys need scope `write`.
         */
        delete: operations["rules.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{accountId}/{ruleId}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a rule on or off
         * @description A rule that is off does not run on its schedule. A run in progress continues.
         *
         *     API keys need scope `write`.
         */
        patch: operations["rules.toggle"];
        trace?: never;
    };
    "/api/rules/{accountId}/{ruleId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a rule now
         * @description Starts a job. Works for rules that are switched off too.
         *
         *     API keys need scope `write`.
         */
        post: operations["rules.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys with which this installation signs, oldest first
         * @description Note the one of a receipt in another place: it is what the receipt is checked with.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offload plans, newest first
         * @description Each with its figures and how far it has come, as `GET …/plans/:planId` has it.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.listPlans"];
        put?: never;
        /**
         * Plan which messages can leave the mailbox
         * @description Starts a job that looks for each message's copy and says what would stay, and why. Nothing is moved until the plan is confirmed. At most 50,000 messages. Of plans that wait, the newest 20 are kept.
         *
         *     API keys need scope `write`.
         */
        post: operations["offload.createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/plans/{planId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an offload plan
         * @description What can be moved, what stays and why, what it takes, and how far it has come.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.getPlan"];
        put?: never;
        post?: never;
        /**
         * Delete an offload plan that nothing was moved for
         * @description One that has moved messages stays, with its receipt.
         *
         *     API keys need scope `write`.
         */
        delete: operations["offload.deletePlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/plans/{planId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of an offload plan, in its order
         * @description Each with its state, and with the reason if it stays.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.listPlanMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/plans/{planId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an offload plan
         * @description Starts a job that reads and compares the copy of each message, and then moves the message to the trash, which Gmail empties after 30 days. Nothing is deleted. Messages whose copies are not whole, and those that somebody has touched since, stay. The job can be undone for 29 days. A plan that was stopped is gone on with. At its end there is a signed receipt.
         *
         *     API keys need scope `write`.
         */
        post: operations["offload.confirmPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offload receipts, newest first
         * @description Each names the one before by its hash.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.listReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/receipts/{planId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of an offload
         * @description A signed statement, which can be checked without this service.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/receipts/{planId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the messages that a receipt is about
         * @description A JSON object a line; the statement has the SHA-256 of all lines.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.getReceiptItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/offload/{accountId}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the nightly offload of a mailbox
         * @description What it chooses, how old that has to be, and how much it moves at most.
         *
         *     API keys need scope `read`.
         */
        get: operations["offload.getSchedule"];
        /**
         * Set the nightly offload of a mailbox
         * @description Every night a plan is made and, if it moves no more than `maxPerNight` messages, carried out; a larger one waits for a person. Starred, important and unread messages stay, and encrypted copies cannot be compared (`strict`): there is no person to give the passphrase.
         *
         *     API keys need scope `write`.
         */
        put: operations["offload.setSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscribe/{accountId}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan the whole mailbox for newsletters
         * @description Starts a job that reads the headers of all messages, so that the list is complete.
         *
         *     API keys need scope `write`.
         */
        post: operations["newsletters.scan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscribe/{accountId}/newsletters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List newsletter senders, most messages first
         * @description Covers all messages whose headers have been read so far, at least the newest 2,000.
         *
         *     API keys need scope `read`.
         */
        get: operations["newsletters.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newsletters of a sender
         * @description All messages from the address with a List-Unsubscribe header, except spam and trash. Messages without that header, such as order confirmations, are not newsletters.
         *
         *     API keys need scope `read`.
         */
        get: operations["newsletters.listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trash or delete the newsletters of a sender
         * @description Starts a job that deletes exactly the messages in the list of the sender's newsletters.
         *
         *     API keys need scope `write`.
         */
        post: operations["newsletters.delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/{accountId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures about the live mailbox
         * @description Covers the newest 500 messages, or with `scope=all` everything that is indexed, except spam and trash. The first request for a mailbox takes a few seconds.
         *
         *     API keys need scope `read`.
         */
        get: operations["dashboard.getMailboxStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/{accountId}/archive-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures about the archive
         * @description They remain available after the mailbox is disconnected.
         *
         *     API keys need scope `read`.
         */
        get: operations["dashboard.getArchiveStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/suggestions/{suggestionId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Dismiss a cleanup suggestion
         * @description It is not suggested again.
         *
         *     API keys need scope `write`.
         */
        patch: operations["analytics.dismissSuggestion"];
        trace?: never;
    };
    "/api/analytics/{accountId}/heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the hours at which mail arrives
         * @description All 168 hours of a week, starting Monday at 0:00, each with the number of the newest 500 messages that arrived then.
         *
         *     API keys need scope `read`.
         */
        get: operations["analytics.getHeatmap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/{accountId}/sender-scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much each sender clutters the mailbox
         * @description Covers all indexed mail except spam, trash and sent mail. Most cluttered first.
         *
         *     API keys need scope `read`.
         */
        get: operations["analytics.getSenderScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/{accountId}/cleanup-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cleanup suggestions
         * @description At most 100, largest first, without dismissed ones.
         *
         *     API keys need scope `read`.
         */
        get: operations["analytics.getCleanupSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/{accountId}/inbox-zero": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the size of the inbox over time
         * @description The current counts, the lowest count of each of the last 30 days, and the number of consecutive days with an empty inbox.
         *
         *     API keys need scope `read`.
         */
        get: operations["analytics.getInboxZero"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/{accountId}/inbox-zero/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the size of the inbox now
         * @description The service also records it every six hours.
         *
         *     API keys need scope `write`.
         */
        post: operations["analytics.takeInboxSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{accountId}/archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attachments of archived mail
         * @description Includes accounts that are disconnected. Inline images are not listed. `archive/:accountId/attachments/:attachmentId/download` downloads an attachment.
         *
         *     API keys need scope `read`.
         */
        get: operations["attachments.listArchivedAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{accountId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List large attachments in the live mailbox
         * @description Files above 100 KB, except in spam and trash. The first request for a mailbox takes a few seconds.
         *
         *     API keys need scope `read`.
         */
        get: operations["attachments.listLiveAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/tracking/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much of the mailbox is tracked
         * @description Covers all messages scanned so far, even if the account is disconnected.
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.getTrackingStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages with trackers, newest first
         * @description Each with the trackers found in it. Messages without trackers are not listed.
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.listTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/tracking/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan the newest messages for tracking pixels
         * @description Starts a job. The findings of messages scanned before are replaced. No message is fetched twice while the detection rules stay the same, and nothing is loaded from the senders.
         *
         *     API keys need scope `write`.
         */
        post: operations["privacy.startTrackingScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/pii/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much personal data the archive holds
         * @description Covers the last scan of each mail.
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.getPiiStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/pii": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mails with personal data, newest first
         * @description Values are masked. The clear value is stored nowhere except in the mail.
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.listPiiFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/pii/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scan the archive for personal data
         * @description Starts a job over all archived mails. Encrypted mails are skipped, and their earlier findings stay.
         *
         *     API keys need scope `write`.
         */
        post: operations["privacy.startPiiScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/encryption/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the encryption passphrase
         * @description Works once: the passphrase can be neither changed nor recovered. API keys cannot call this, because a program could lock users out of their own mail.
         *
         *     API keys cannot call this.
         */
        post: operations["privacy.setUpEncryption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/encryption/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the encryption passphrase
         * @description Returns whether it is right. After 10 wrong attempts within 15 minutes the answer is 429 for a while.
         *
         *     API keys need scope `read`.
         */
        post: operations["privacy.verifyPassphrase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/encryption/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much of an archive is encrypted
         * @description The number of encrypted mails of the account, and whether a passphrase is set.
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.getEncryptionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/encryption/decrypt-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decrypt a mail for reading
         * @description The stored mail stays encrypted. Download mails above 25 MiB from their `/eml` address instead.
         *
         *     API keys need scope `read`.
         */
        post: operations["privacy.decryptMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/privacy/{accountId}/encryption/encrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Encrypt the archive of an account
         * @description Starts a job that encrypts every unencrypted archived mail of the account with AES-256-GCM. This cannot be undone, and without the passphrase nobody can read the mail. Answers 403 `passphrase-invalid` to a wrong passphrase, and 429 after ten of them within 15 minutes.
         *
         *     API keys need scope `write`.
         */
        post: operations["privacy.encryptArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/mails/{mailId}/safe-html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an archived mail as safe HTML
         * @description The mail without scripts, remote content and trackers, with its own images: a document for a sandboxed frame, or JSON that contains it (`Accept: application/json`).
         *
         *     API keys need scope `read`.
         */
        get: operations["privacy.readSafeHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/{accountId}/mails/{mailId}/remote-images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an archived mail with its remote images
         * @description The service fetches them now, at most 50 and 10 MiB, and puts them into the document: their hosts learn that the mail was opened, but not by whom. Trackers stay out, private addresses are refused, and nothing is kept.
         *
         *     API keys need scope `write`.
         */
        post: operations["privacy.loadRemoteImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/{messageId}/safe-html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a live message as safe HTML
         * @description Without scripts, remote content and trackers, with its own images, and the list of its files. Nothing is changed: an unread message stays unread.
         *
         *     API keys need scope `read`.
         */
        get: operations["mailbox.readSafeHtml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mailbox/{accountId}/messages/{messageId}/remote-images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a live message with its remote images
         * @description The service fetches them now, at most 50 and 10 MiB, and puts them into the document: their hosts learn that the mail was opened, but not by whom. Trackers stay out, private addresses are refused, and nothing is kept or changed.
         *
         *     API keys need scope `write`.
         */
        post: operations["mailbox.loadRemoteImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quota/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the provider quota and its use
         * @description The provider's limits, and the units and calls of the last minute, hour and day, by endpoint and by hour.
         *
         *     API keys need scope `read`.
         */
        get: operations["quota.getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quota/cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete quota records older than 30 days
         * @description Covers all accounts. The service also does it every night.
         *
         *     API keys cannot call this.
         */
        post: operations["quota.cleanUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the notification preferences
         * @description Plain keys control notifications in the application; keys that end in `_toast` control toasts. Unchanged keys have their default.
         *
         *     API keys need scope `read`.
         */
        get: operations["notifications.getPreferences"];
        /**
         * Change the notification preferences
         * @description Only the given keys change.
         *
         *     API keys need scope `write`.
         */
        put: operations["notifications.updatePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream toasts as server-sent events
         * @description Sends the events that the `_toast` preferences allow. A comment every 15 seconds keeps the connection open. The stream ends with the session.
         *
         *     API keys need scope `read`.
         */
        get: operations["notifications.streamToasts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your notifications, newest first
         * @description `unreadCount` counts all unread notifications, not only those of the page.
         *
         *     API keys need scope `read`.
         */
        get: operations["notifications.list"];
        put?: never;
        post?: never;
        /**
         * Delete all read notifications
         * @description Unread notifications are kept.
         *
         *     API keys need scope `write`.
         */
        delete: operations["notifications.deleteRead"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all notifications as read
         * @description Returns how many of them were unread.
         *
         *     API keys need scope `write`.
         */
        post: operations["notifications.markAllRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{notificationId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a notification as read
         * @description Repeating the request has no effect.
         *
         *     API keys need scope `write`.
         */
        patch: operations["notifications.markRead"];
        trace?: never;
    };
    "/api/notifications/{notificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a notification
         * @description Read or unread.
         *
         *     API keys need scope `write`.
         */
        delete: operations["notifications.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhooks, newest first
         * @description With their secrets and the status of the last delivery.
         *
         *     API keys need scope `write`.
         */
        get: operations["webhooks.list"];
        put?: never;
        /**
         * Create a webhook
         * @description It is active at once. A generic webhook gets a secret that signs its deliveries.
         *
         *     API keys need scope `write`.
         */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a webhook
         * @description Omitted fields stay unchanged. Changing the type to generic creates a new secret; changing it from generic deletes the secret.
         *
         *     API keys need scope `write`.
         */
        put: operations["webhooks.update"];
        post?: never;
        /**
         * Delete a webhook and its deliveries
         * @description Pending deliveries are cancelled.
         *
         *     API keys need scope `write`.
         */
        delete: operations["webhooks.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a webhook on or off
         * @description Switching it off cancels pending deliveries.
         *
         *     API keys need scope `write`.
         */
        patch: operations["webhooks.toggle"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample job.completed event to a webhook
         * @description Sends it once, even if the webhook is off. The answer comes within about 10 seconds, and the attempt appears among the deliveries. In the event's data, `type` is `webhook_test`. At most 10 tests a minute, one at a time per webhook.
         *
         *     API keys need scope `write`.
         */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Each with its event, its state and the outcome of every attempt. Kept for 30 days.
         *
         *     API keys need scope `write`.
         */
        get: operations["webhooks.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures about the installation
         * @description Current counts of users, mailboxes, jobs and archived mail.
         *
         *     API keys cannot call this.
         */
        get: operations["admin.getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs of all users, newest first
         * @description Without payloads and results, which may name messages.
         *
         *     API keys cannot call this.
         */
        get: operations["admin.listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users, newest first
         * @description With the number of their mailboxes and the size of their archives. `search` matches e-mail addresses and names.
         *
         *     API keys cannot call this.
         */
        get: operations["admin.listUsers"];
        put?: never;
        /**
         * Add a user
         * @description Answers the address of a page where they choose their password, within seven days. Works also where registration is closed.
         *
         *     API keys cannot call this.
         */
        post: operations["admin.inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{userId}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user again
         * @description For users who have not signed in yet. The address they were given before ends.
         *
         *     API keys cannot call this.
         */
        post: operations["admin.inviteUserAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user, their mailboxes and their last 20 jobs
         * @description Administrators cannot see the user's mail.
         *
         *     API keys cannot call this.
         */
        get: operations["admin.getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user and all their data
         * @description Deactivates the user at once and deletes everything they own in a job: mailboxes with their grants, archived mail with its files in every store, uploads, settings and history. This cannot be undone: a deletion that fails or is cancelled is retried within the hour. Repeating the request returns the running job. Backups and the audit log are not affected.
         *
         *     API keys cannot call this.
         */
        delete: operations["admin.deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change the role, the activation or the limits of a user
         * @description Setting the role also decides for a user who waits for that of an administrator (`awaits_admin_role`). Deactivation ends the user's sessions and stops their jobs at once, in every process. Lower limits delete nothing. The last active administrator cannot be changed (409 `last-active-admin`), nor can a user who is being deleted (409 `user-being-deleted`).
         *
         *     API keys cannot call this.
         */
        patch: operations["admin.updateUser"];
        trace?: never;
    };
    "/api/auth/mailbox/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect a mailbox
         * @description Revokes and deletes its credentials and cancels its jobs. A job deletes what was read from the mailbox: its index, figures and tracking results. Archived mail stays readable, unless `purge` is set: then it is deleted too.
         *
         *     API keys cannot call this.
         */
        delete: operations["mailboxAccounts.disconnect"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your audit log, newest first
         * @description What you did, and what was done or attempted with your data.
         *
         *     API keys cannot call this.
         */
        get: operations["audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of the installation, newest first
         * @description The actions of all users. Entries remain after their users are deleted.
         *
         *     API keys cannot call this.
         */
        get: operations["admin.listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        LivenessResponse: {
            /**
             * @description Always `ok`: the process answers.
             * @example ok
             */
            status: string;
            /**
             * @description Version of the service.
             * @example 0.1.0
             */
            version: string;
        };
        ReadinessResponse: {
            /**
             * @description `ok` when every dependency answers; otherwise the answer is a 503 problem naming the ones that do not.
             * @example ok
             */
            status: string;
        };
        DeviceSessionResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the sign-in.
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were renewed last, which clients in use do every 15 minutes.
             * @example 2026-05-05T11:02:00.000Z
             */
            last_used_at: string;
            /**
             * @description What the browser or program called itself at sign-in; null: nothing.
             * @example Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
             */
            user_agent: string | null;
            /**
             * @description Address at sign-in; null: unknown.
             * @example 203.0.113.7
             */
            ip_address: string | null;
            /** @description Whether it is the session that asks. */
            current: boolean;
        };
        /**
         * @description `read`: requests that change nothing; `write`: all requests that keys may make.
         * @enum {string}
         */
        ApiKeyScope: "read" | "write";
        ApiKeyResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description Purpose of the key.
             * @example Backup script
             */
            name: string;
            /**
             * @description The beginning of the key.
             * @example mrk_4xQ9ZpT0
             */
            prefix: string;
            /**
             * @description `read`: requests that change nothing; `write`: all requests that keys may make.
             * @example read
             */
            scope: components["schemas"]["ApiKeyScope"];
            /**
             * @description The mailbox accounts that the key is limited to; null: every account of its owner.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
             *     ]
             */
            account_ids: string[] | null;
            /**
             * Format: date-time
             * @description Expiry, which may have passed; null: none.
             * @example 2027-05-04T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description At most a minute behind; null: never used.
             * @example 2026-05-05T11:02:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
        };
        CreateApiKeyDto: {
            /**
             * @description Purpose of the key.
             * @example Backup script
             */
            name: string;
            /**
             * @description `read`: requests that change nothing; `write`: all requests that keys may make.
             * @default read
             * @example read
             */
            scope?: components["schemas"]["ApiKeyScope"];
            /**
             * Format: date-time
             * @description Expiry: ISO 8601 with a time zone, at most five years away. Without it the key works until it is deleted.
             * @example 2027-05-04T09:30:00.000Z
             */
            expires_at?: string | null;
            /**
             * @description Limits the key to these mailbox accounts. Without it the key covers every account of the caller, including later ones.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            accountIds?: string[] | null;
        };
        CreatedApiKeyResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description Purpose of the key.
             * @example Backup script
             */
            name: string;
            /**
             * @description The beginning of the key.
             * @example mrk_4xQ9ZpT0
             */
            prefix: string;
            /**
             * @description `read`: requests that change nothing; `write`: all requests that keys may make.
             * @example read
             */
            scope: components["schemas"]["ApiKeyScope"];
            /**
             * @description The mailbox accounts that the key is limited to; null: every account of its owner.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
             *     ]
             */
            account_ids: string[] | null;
            /**
             * Format: date-time
             * @description Expiry, which may have passed; null: none.
             * @example 2027-05-04T09:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description At most a minute behind; null: never used.
             * @example 2026-05-05T11:02:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Send it as `Authorization: Bearer …`. Only its hash is stored.
             * @example mrk_4xQ9ZpT0vYc2LhN7sWmK1dRfB6jGuE3aXoP5iV8tCqDz2kM0rF9H
             */
            key: string;
        };
        TwoFactorStatusResponse: {
            /**
             * @description Recovery codes that have not been used.
             * @example 10
             */
            recovery_codes_left: number;
            enabled: boolean;
        };
        SetUpTwoFactorDto: {
            /** @example correct horse battery */
            password: string;
        };
        TwoFactorSetupResponse: {
            /**
             * Format: date-time
             * @description The latest time to enable it.
             * @example 2025-11-21T09:45:00.000Z
             */
            expires_at: string;
            /**
             * @description 160 bits in base32, for apps that cannot read the QR code.
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /**
             * @description The content of the QR code.
             * @example otpauth://totp/Mailroom:ada%40example.org?issuer=Mailroom&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30
             */
            otpauth_url: string;
        };
        EnableTwoFactorDto: {
            /**
             * @description The current code of the app.
             * @example 287082
             */
            totp_code: string;
        };
        RecoveryCodesResponse: {
            /**
             * @description Each replaces a code of the app once.
             * @example [
             *       "MFRG-GZDF-MZTW-Q2LK",
             *       "NNWG-23TP-OBYX-E43U"
             *     ]
             */
            recovery_codes: string[];
        };
        TwoFactorProofDto: {
            /**
             * @description A code of the app, or a recovery code; each works once.
             * @example 287082
             */
            totp_code: string;
            /** @example correct horse battery */
            password: string;
        };
        TwoFactorDisabledResponse: {
            /** @example true */
            ok: boolean;
        };
        RegisterDto: {
            /**
             * Format: email
             * @description Compared without regard to case.
             * @example ada@example.org
             */
            email: string;
            /**
             * @description 8 to 128 characters.
             * @example correct horse battery
             */
            password: string;
            /**
             * @description Name shown to people.
             * @example Ada Lovelace
             */
            name?: string | null;
        };
        UserResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: email
             * @description Lower-case.
             * @example ada@example.org
             */
            email: string;
            /**
             * @description The most mailboxes that may be connected at the same time.
             * @example 5
             */
            max_mailbox_accounts: number;
            /**
             * Format: int64
             * @description Most bytes the archive may hold.
             * @example 5368709120
             */
            storage_quota_bytes: number;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Name shown to people.
             * @example Ada Lovelace
             */
            name: string | null;
            /**
             * @example user
             * @enum {string}
             */
            role: "admin" | "user";
            /** @description Inactive users cannot sign in. */
            is_active: boolean;
            /** @description Whether signing in asks for a one-time code. */
            totp_enabled: boolean;
            /** @description Whether the user can sign in with a password: those who came through an identity provider have none. */
            has_password: boolean;
        };
        SessionResponse: {
            /**
             * @example Bearer
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expires_in: number;
            /**
             * @description For `Authorization: Bearer`.
             * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl
             */
            access_token: string;
            /**
             * @description Exchange it once, within 30 days, for the next pair of tokens.
             * @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E
             */
            refresh_token: string;
            user: components["schemas"]["UserResponse"];
        };
        LoginDto: {
            /**
             * Format: email
             * @description Compared without regard to case.
             * @example ada@example.org
             */
            email: string;
            /**
             * @description A code of the authenticator app, or a recovery code; an empty text counts as none.
             * @example 287082
             */
            totp_code?: string;
            /** @example correct horse battery */
            password: string;
        };
        RefreshDto: {
            /**
             * @description From the last response of register, login or refresh; it works once.
             * @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E
             */
            refresh_token?: string;
        };
        ChangePasswordDto: {
            /**
             * @description A code of the authenticator app, or a recovery code, where one-time codes are on; an empty text counts as none.
             * @example 287082
             */
            totp_code?: string;
            /**
             * @description The password until now.
             * @example correct horse battery
             */
            current: string;
            /**
             * @description 8 to 128 characters, and another one than `current`.
             * @example staple of a correct horse
             */
            next: string;
        };
        ReadInvitationDto: {
            /** @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
            token: string;
        };
        InvitationResponse: {
            /**
             * Format: date-time
             * @example 2026-03-08T08:00:00.000Z
             */
            expires_at: string;
            /** @example ada@example.org */
            email: string;
            /** @example Ada Lovelace */
            name: string | null;
        };
        AcceptInvitationDto: {
            /** @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
            token: string;
            /**
             * @description 8 to 128 characters.
             * @example correct horse battery
             */
            password: string;
        };
        LinkIdentityDto: {
            /**
             * @description A code of the authenticator app, or a recovery code; an empty text counts as none.
             * @example 287082
             */
            totp_code?: string;
            /** @example correct horse battery */
            password?: string;
        };
        LinkIdentityResponse: {
            /**
             * Format: uri
             * @description Open it within ten minutes, in the browser that made this request. It works once.
             * @example https://id.example.org/authorize?client_id=mailroom&state=Zm9v
             */
            url: string;
        };
        IdentityUnlinkedResponse: {
            /** @example true */
            ok: boolean;
        };
        OidcConfigResponse: {
            /**
             * Format: uri
             * @description Open it in the browser; `?return_to=/path` names the page to return to.
             * @example https://mail.example.org/api/auth/oidc/login
             */
            login_url: string;
            /**
             * @description Text of the button.
             * @example Single sign-on
             */
            name: string;
        };
        AuthConfigResponse: {
            /**
             * Format: uri
             * @description The address this installation expects to be opened at; at another one, changes are refused with `foreign-origin`.
             * @example https://mail.example.org
             */
            appUrl: string;
            /**
             * @description Bytes of the largest file that can be uploaded.
             * @example 53687091200
             */
            maxUploadBytes: number;
            /** @description Whether new users may register. */
            allowRegistration: boolean;
            /**
             * @description Mail providers whose mailboxes can be connected.
             * @example [
             *       "gmail"
             *     ]
             */
            providers: string[];
            /** @description null when no OpenID provider is configured. */
            oidc: components["schemas"]["OidcConfigResponse"] | null;
            /** @description True while there is no user: the first one to register becomes the administrator. */
            setupRequired: boolean;
            /**
             * @description Of the service.
             * @example 0.1.0
             */
            version: string;
            /** @description Whether the mailboxes that can be connected are invented ones, to try the service with. */
            sandbox: boolean;
        };
        MailboxAccountResponse: {
            /**
             * Format: uuid
             * @description The `accountId` of other routes.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the message index was last brought up to date.
             * @example 2025-11-21T09:30:00.000Z
             */
            last_synced_at: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Address of the mailbox, lower-case.
             * @example ada@gmail.com
             */
            email: string;
            /** @example gmail */
            provider: string;
            /** @description False when the account is switched off or disconnected: live routes answer 409, the archive stays readable. */
            is_active: boolean;
            /**
             * @description `needs_reauth`: the mailbox must be connected again. `rate_limited`: the provider allows no calls for now.
             * @example connected
             * @enum {string}
             */
            status: "rate_limited" | "disconnected" | "connected" | "needs_reauth";
        };
        DisplayPreferencesResponse: {
            /**
             * @description Language of the pages.
             * @example fr
             * @enum {string|null}
             */
            language: "en" | "fr" | null;
            /**
             * @description IANA name of the time zone that times are shown in.
             * @example Europe/Paris
             */
            timezone: string | null;
            /**
             * @description Colours of the pages.
             * @example dark
             * @enum {string|null}
             */
            theme: "light" | "dark" | null;
            /**
             * @description Space between the rows of lists.
             * @example compact
             * @enum {string|null}
             */
            density: "comfortable" | "compact" | null;
        };
        MeResponse: {
            /**
             * @description Bytes of the archived mails.
             * @example 73400320
             */
            storageUsedBytes: number;
            user: components["schemas"]["UserResponse"];
            /** @description Disconnected accounts stay listed while their archives exist. */
            mailboxAccounts: components["schemas"]["MailboxAccountResponse"][];
            preferences: components["schemas"]["DisplayPreferencesResponse"];
        };
        UpdateMeDto: {
            /**
             * @description Name shown to people; null removes it.
             * @example Ada Lovelace
             */
            name?: string | null;
        };
        UpdatePreferencesDto: {
            /**
             * @description Language of the pages.
             * @example fr
             * @enum {string|null}
             */
            language?: "en" | "fr" | null;
            /**
             * @description IANA name of the time zone that times are shown in.
             * @example Europe/Paris
             */
            timezone?: string | null;
            /**
             * @description Colours of the pages.
             * @example dark
             * @enum {string|null}
             */
            theme?: "light" | "dark" | null;
            /**
             * @description Space between the rows of lists.
             * @example compact
             * @enum {string|null}
             */
            density?: "comfortable" | "compact" | null;
        };
        ToggledAccountResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @description Whether live routes and jobs may use the mailbox now. */
            is_active: boolean;
        };
        ProfileResponse: {
            /**
             * @description Messages in the mailbox.
             * @example 48211
             */
            messagesTotal: number;
            /**
             * @description Threads in the mailbox.
             * @example 30190
             */
            threadsTotal: number;
            /**
             * @description Address of the mailbox.
             * @example ada@example.org
             */
            emailAddress: string;
            /**
             * @description The provider's current position in the change history; opaque.
             * @example 9143027
             */
            historyId: string;
        };
        MessageRefResponse: {
            /**
             * @description The provider's id of the message.
             * @example 1932c5e7d5b7c3a9
             */
            id: string;
            /**
             * @description The provider's id of its thread.
             * @example 1932c5e7d5b7c3a9
             */
            threadId: string;
        };
        MessagePageResponse: {
            /**
             * @description Token of the next page; null on the last one.
             * @example 07534206617283946102
             */
            nextPageToken: string | null;
            /**
             * @description The provider's estimate of how many messages match.
             * @example 201
             */
            resultSizeEstimate: number;
            /** @description Newest first. */
            messages: components["schemas"]["MessageRefResponse"][];
        };
        GetMessagesDto: {
            /**
             * @description Ids of 1–100 messages. Ids that the mailbox does not have are left out of the answer.
             * @example [
             *       "1932c5e7d5b7c3a9"
             *     ]
             */
            ids: string[];
        };
        MessageSummaryResponse: {
            /**
             * @description Approximate size of the whole message in bytes.
             * @example 48213
             */
            sizeEstimate: number;
            /**
             * @description The provider's id of the message.
             * @example 1932c5e7d5b7c3a9
             */
            id: string;
            /**
             * @description Subject header, decoded.
             * @example Your invoice for November
             */
            subject: string;
            /**
             * @description From header, decoded.
             * @example Grace Hopper <grace@example.org>
             */
            from: string;
            /**
             * @description Date header as sent.
             * @example Fri, 21 Nov 2025 09:13:51 +0100
             */
            date: string;
            /**
             * @description The beginning of the text.
             * @example Dear Ada, please find attached
             */
            snippet: string;
            /**
             * @description Ids of the message's labels.
             * @example [
             *       "INBOX",
             *       "UNREAD"
             *     ]
             */
            labelIds: string[];
            /**
             * @description Whether the message has an attachment other than images shown inside its text.
             * @example true
             */
            hasAttachments: boolean;
        };
        MessageResponse: {
            /**
             * @description Approximate size of the whole message in bytes.
             * @example 48213
             */
            sizeEstimate: number;
            /**
             * @description The provider's id of the message.
             * @example 1932c5e7d5b7c3a9
             */
            id: string;
            /**
             * @description Subject header, decoded.
             * @example Your invoice for November
             */
            subject: string;
            /**
             * @description From header, decoded.
             * @example Grace Hopper <grace@example.org>
             */
            from: string;
            /**
             * @description Date header as sent.
             * @example Fri, 21 Nov 2025 09:13:51 +0100
             */
            date: string;
            /**
             * @description The beginning of the text.
             * @example Dear Ada, please find attached
             */
            snippet: string;
            /**
             * @description Ids of the message's labels.
             * @example [
             *       "INBOX",
             *       "UNREAD"
             *     ]
             */
            labelIds: string[];
            /**
             * @description Whether the message has an attachment other than images shown inside its text.
             * @example true
             */
            hasAttachments: boolean;
            /**
             * @description The provider's id of its thread.
             * @example 1932c5e7d5b7c3a9
             */
            threadId: string;
            /**
             * @description To header, decoded.
             * @example ada@example.org
             */
            to: string;
        };
        LabelResponse: {
            /**
             * @description System labels are the provider's and cannot be deleted.
             * @example user
             * @enum {string}
             */
            type: "system" | "user";
            /**
             * @description Messages with the label; null when not requested.
             * @example 120
             */
            messagesTotal: number | null;
            /**
             * @description Unread messages with the label; null when not requested.
             * @example 4
             */
            messagesUnread: number | null;
            /**
             * @description The provider's id of the label.
             * @example Label_12
             */
            id: string;
            /**
             * @description Name of the label.
             * @example Receipts
             */
            name: string;
        };
        CreateLabelDto: {
            /**
             * @description Name of the label; `/` nests it below another.
             * @example Receipts/2025
             */
            name: string;
        };
        /** @enum {string} */
        JobStatus: "pending" | "active" | "completed" | "failed" | "cancelled";
        JobEventResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example active */
            status: components["schemas"]["JobStatus"];
            /**
             * @description 0–100: items dealt with, done or failed, of the total.
             * @example 40
             */
            progress: number;
            /**
             * @description Items to process; 0 while unknown.
             * @example 10000
             */
            total: number;
            /**
             * @description Items that were done.
             * @example 4000
             */
            processed: number;
            /**
             * @description Items that failed; `result.failures` names them, each with the reason.
             * @example 0
             */
            failed: number;
            /**
             * Format: uuid
             * @description null for jobs that concern no single account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string | null;
            /**
             * @description Set when the job has ended: facts about its work, and the first 1,000 `failures: [{item, reason}]`.
             * @example {
             *       "failures": []
             *     }
             */
            result: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Why the job failed, or why somebody other than its owner stopped it, as a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The same as a stable code.
             * @example null
             */
            error_code: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             * @example 2026-05-04T09:30:00.010Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; a cancelled job ends with its current batch.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description The jobId that started it: `<kind>-<number>`.
             * @example bulk_operation-42
             */
            queue_id: string;
            /**
             * @description Kind of the job.
             * @example bulk_operation
             */
            type: string;
        };
        /** @enum {string} */
        NotificationType: "weekly_report" | "job_completed" | "job_failed" | "rule_executed" | "quota_warning" | "integrity_alert";
        ToastResponse: {
            /**
             * Format: uuid
             * @description Id of the event, the same as in webhook deliveries.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c
             */
            id: string;
            /** @example job_completed */
            type: components["schemas"]["NotificationType"];
            /**
             * @description The `data` of the event, for programs.
             * @example {
             *       "jobId": "bulk_operation-42",
             *       "type": "bulk_operation",
             *       "status": "completed"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: uuid
             * @description The notification of the same event, to be marked as read; null when it has none.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            notification_id: string | null;
            /**
             * @description Plain text.
             * @example Bulk operation completed
             */
            title: string;
            /**
             * @description Plain text.
             * @example 1,234 messages were processed.
             */
            body: string;
        };
        AccountEventResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @description null when the account is no more. */
            account: components["schemas"]["MailboxAccountResponse"] | null;
        };
        ConnectResponse: {
            /**
             * Format: uri
             * @description Open it in the user's browser within ten minutes; it works once.
             * @example https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=Zm9v
             */
            url: string;
        };
        DiscoverImapDto: {
            /**
             * Format: email
             * @description Address of the mailbox.
             * @example ada@example.com
             */
            email: string;
        };
        ImapCandidateResponse: {
            /** @example 993 */
            port: number;
            /** @enum {string} */
            security: "tls" | "starttls";
            /**
             * @description `provider`: known for the address; `mail-exchange`: known for the host that receives the domain's mail (MX); `autoconfig`: the domain
             *     publishes it; `database`: a public collection has it; `dns`: SRV records; `guess`: there is a host of the usual name.
             * @enum {string}
             */
            source: "provider" | "mail-exchange" | "autoconfig" | "database" | "dns" | "guess";
            /** @example imap.example.com */
            host: string;
            /**
             * @description Name of the user there.
             * @example ada@example.com
             */
            username: string;
        };
        ImapHintResponse: {
            /**
             * @description `app-password`: make a password for this service at the provider; `switch-on-imap`: allow IMAP at the provider;
             *     `bridge`: run the provider's bridge beside this service; `oauth-only`: the provider takes no passwords;
             *     `connect-with-google`: better connected with Google, by IMAP with an app password. null: nothing.
             * @enum {string|null}
             */
            code: "app-password" | "switch-on-imap" | "bridge" | "oauth-only" | "connect-with-google" | null;
            /**
             * @description Name of the provider.
             * @example iCloud
             */
            provider: string;
        };
        ImapDiscoveryResponse: {
            candidates: components["schemas"]["ImapCandidateResponse"][];
            /** @description null when the provider is not known. */
            hint: components["schemas"]["ImapHintResponse"] | null;
        };
        ConnectImapDto: {
            /**
             * @description Host name or IP address of the server. Without it that of the address's provider, or of the account.
             * @example imap.example.com
             */
            host?: string | null;
            /**
             * @description Default: 993 for `tls`, 143 for `starttls`.
             * @example 993
             */
            port?: number | null;
            /**
             * @description `tls` from the first byte, or `starttls`. There is no connection without protection.
             * @default tls
             * @enum {string|null}
             */
            security?: "tls" | "starttls" | null;
            /**
             * @description Name of the user at the server. Default: the address, or what the provider makes of it.
             * @example ada@example.com
             */
            username?: string | null;
            /**
             * @description SHA-256 of the server's certificate, 64 hex digits: exactly this one is accepted, also when it is self-signed. Ask the
             *     person who runs the server whether it is right. Without it the certificate must verify.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            certificateSha256?: string | null;
            /**
             * Format: email
             * @description Address of the mailbox.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Of the mailbox, or one that the provider has made for this service. Kept encrypted, and never shown.
             * @example correct-horse-battery-staple
             */
            password: string;
            /**
             * Format: uuid
             * @description An account of the caller to connect again; its address is `email`.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            accountId?: string | null;
            /**
             * @description What folders are for, by their paths, where the server does not say or is wrong.
             * @example {
             *       "Old mail": "archive"
             *     }
             */
            roles?: {
                [key: string]: "archive" | "sent" | "drafts" | "junk" | "trash";
            } | null;
        };
        ImapServerResponse: {
            /** @example 993 */
            port: number;
            /** @enum {string} */
            security: "tls" | "starttls";
            /**
             * @description The one certificate that is accepted; null: any that verifies.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            certificateSha256: string | null;
            /** @example imap.example.com */
            host: string;
            /** @example ada@example.com */
            username: string;
        };
        ImapFolderResponse: {
            /**
             * @description `user`: a label of its own; `ignored`: shows mail of other folders, or none.
             * @enum {string}
             */
            role: "inbox" | "sent" | "drafts" | "junk" | "trash" | "archive" | "user" | "ignored";
            /**
             * @description Who says so: the user, the server, or only the folder's name.
             * @enum {string}
             */
            source: "user" | "server" | "name";
            /**
             * @description Why its messages cannot be read, or not all of them: `name`: no command can use its name; `closed`: it cannot be opened;
             *     `answer`: the server's answers about it make no sense; `limit`: there are too many folders; `count`: the server counts
             *     more messages than it lists. Null: all is read.
             * @example null
             * @enum {string|null}
             */
            problem: "name" | "closed" | "answer" | "limit" | "count" | null;
            /** @example Sent */
            path: string;
        };
        ImapCertificateResponse: {
            /**
             * Format: date-time
             * @example 2026-01-01T00:00:00.000Z
             */
            validFrom: string;
            /**
             * Format: date-time
             * @example 2027-01-01T00:00:00.000Z
             */
            validTo: string;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /**
             * @description Whose it says it is.
             * @example mail.example.com
             */
            subject: string;
            /**
             * @description Who says so.
             * @example mail.example.com
             */
            issuer: string;
        };
        ImapTestResponse: {
            /** @description What was tried. */
            server: components["schemas"]["ImapServerResponse"];
            /**
             * @description As the server announces them after logging in.
             * @example [
             *       "IMAP4REV1",
             *       "UIDPLUS"
             *     ]
             */
            capabilities?: string[];
            folders?: components["schemas"]["ImapFolderResponse"][];
            /** @description Whether the server knows the exact size of a message. */
            exactSizes?: boolean;
            /** @description Whether the provider decides what the folders are for, as Gmail does: then `roles` are not taken. */
            rolesFixed?: boolean;
            /**
             * @description Why not, for programs.
             * @example imap-login-failed
             */
            code?: string;
            /**
             * @description Why not, for people.
             * @example The server refused the user name or the password.
             */
            error?: string;
            /**
             * @description What has to be different; null: nothing, it may work later.
             * @example password
             */
            field?: string | null;
            /**
             * @description What the server says, in its words.
             * @example Application-specific password required
             */
            serverText?: string | null;
            /** @description With `imap-certificate-untrusted` and `imap-certificate-changed`: the certificate of the server, to be compared by a person. */
            certificate?: components["schemas"]["ImapCertificateResponse"] | null;
            success: boolean;
        };
        ImapAccountResponse: {
            server: components["schemas"]["ImapServerResponse"];
            /**
             * @description Name of the provider; null when it is not known.
             * @example iCloud
             */
            provider: string | null;
            /**
             * @description As the server announced them last.
             * @example [
             *       "IMAP4REV1",
             *       "UIDPLUS"
             *     ]
             */
            capabilities: string[];
            /**
             * @description Connections that are open at once, at most.
             * @example 3
             */
            maxConnections: number;
            /** @description Of the mailbox when it was last looked at. */
            folders: components["schemas"]["ImapFolderResponse"][];
            /** @description Whether the server knows the exact size of a message. */
            exactSizes: boolean;
            /** @description Whether the provider decides what the folders are for, as Gmail does: then `roles` are not taken. */
            rolesFixed: boolean;
        };
        ConnectedImapResponse: {
            /**
             * Format: uuid
             * @description The `accountId` of other routes.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the message index was last brought up to date.
             * @example 2025-11-21T09:30:00.000Z
             */
            last_synced_at: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            created_at: string;
            imap: components["schemas"]["ImapAccountResponse"];
            /**
             * @description Address of the mailbox, lower-case.
             * @example ada@gmail.com
             */
            email: string;
            /** @example gmail */
            provider: string;
            /** @description False when the account is switched off or disconnected: live routes answer 409, the archive stays readable. */
            is_active: boolean;
            /**
             * @description `needs_reauth`: the mailbox must be connected again. `rate_limited`: the provider allows no calls for now.
             * @example connected
             * @enum {string}
             */
            status: "rate_limited" | "disconnected" | "connected" | "needs_reauth";
        };
        UpdateImapDto: {
            /**
             * @description Host name or IP address of the server. Without it that of the address's provider, or of the account.
             * @example imap.example.com
             */
            host?: string | null;
            /**
             * @description Default: 993 for `tls`, 143 for `starttls`.
             * @example 993
             */
            port?: number | null;
            /**
             * @description `tls` from the first byte, or `starttls`. There is no connection without protection.
             * @default tls
             * @enum {string|null}
             */
            security?: "tls" | "starttls" | null;
            /**
             * @description Name of the user at the server. Default: the address, or what the provider makes of it.
             * @example ada@example.com
             */
            username?: string | null;
            /**
             * @description SHA-256 of the server's certificate, 64 hex digits: exactly this one is accepted, also when it is self-signed. Ask the
             *     person who runs the server whether it is right. Without it the certificate must verify.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            certificateSha256?: string | null;
            /**
             * @description Of the mailbox; kept encrypted, and never shown.
             * @example correct-horse-battery-staple
             */
            password?: string;
            /**
             * @description What folders are for, by their paths; in place of what was said before.
             * @example {
             *       "Old mail": "archive"
             *     }
             */
            roles?: {
                [key: string]: "archive" | "sent" | "drafts" | "junk" | "trash";
            };
        };
        /**
         * @description Messages with these marks are not selected; default: none is left out.
         * @enum {string}
         */
        LeavesOut: "starred" | "important";
        CreateSelectionDto: {
            /**
             * @description Messages with these marks are not selected; default: none is left out.
             * @example [
             *       "starred",
             *       "important"
             *     ]
             */
            leaveOut?: components["schemas"]["LeavesOut"][];
            /**
             * @description Query in the provider's own search language; empty: everything but spam and trash.
             * @example from:newsletter@example.org older_than:1y
             */
            query: string;
        };
        SelectionResponse: {
            /**
             * Format: uuid
             * @description For `selectionId` of bulk changes and archiving.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description Messages selected; for `confirmedCount`.
             * @example 4780
             */
            count: number;
            /** @example 812 */
            unreadCount: number;
            /** @example 0 */
            starredCount: number;
            /** @example 0 */
            importantCount: number;
            /**
             * @description Starred messages that the query found and that are not selected.
             * @example 20
             */
            leftOutStarredCount: number;
            /**
             * @description Likewise of those marked important; a message that is both counts as both.
             * @example 12
             */
            leftOutImportantCount: number;
            /**
             * @description Bytes, as the provider says; null until all of the messages are indexed.
             * @example 2040109465
             */
            sizeBytes: number | null;
            /**
             * Format: date-time
             * @description When the oldest of the messages arrived; null when there is none.
             * @example 2019-03-02T08:11:00.000Z
             */
            oldest: string | null;
            /**
             * Format: date-time
             * @description Likewise the newest.
             * @example 2024-11-20T17:45:12.000Z
             */
            newest: string | null;
            /**
             * Format: date-time
             * @description Until then it can be used, as often as needed.
             * @example 2025-11-21T09:45:00.000Z
             */
            expires_at: string;
            /**
             * @description As given.
             * @example from:newsletter@example.org older_than:1y
             */
            query: string;
        };
        /**
         * @description `trash` can be undone for 30 days, `delete` cannot. `archive` takes messages out of the inbox, `move` as well, and gives them a label.
         * @enum {string}
         */
        BulkAction: "trash" | "delete" | "archive" | "label" | "unlabel" | "move" | "mark_read" | "mark_unread";
        StartBulkOperationDto: {
            /**
             * @description `trash` can be undone for 30 days, `delete` cannot. `archive` takes messages out of the inbox, `move` as well, and gives them a label.
             * @example label
             */
            action: components["schemas"]["BulkAction"];
            /**
             * @description Ids of 1–50,000 messages; duplicates count once. Either these or `selectionId`.
             * @example [
             *       "1932c5e7d5b7c3a9"
             *     ]
             */
            messageIds?: string[];
            /**
             * Format: uuid
             * @description A selection of this mailbox, in place of message ids; see `POST …/selections`.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            selectionId?: string;
            /**
             * @description With `selectionId`: its `count`, as a person has confirmed it. Another number is refused.
             * @example 4780
             */
            confirmedCount?: number;
            /**
             * @description An existing label, for `label`, `unlabel` and `move` (to another one than the inbox); other actions ignore it.
             * @example Label_12
             */
            labelId?: string;
        };
        BulkOperationResponse: {
            /**
             * @description Id of the job; see `GET /api/jobs/{jobId}`.
             * @example bulk_operation-42
             */
            jobId: string;
            /**
             * @description Confirmation to show to the user.
             * @example Bulk operation started: 1,000 messages
             */
            message: string;
        };
        UndoResponse: {
            /**
             * @description Why not; null when it can be undone.
             * @example already-undone
             * @enum {string|null}
             */
            reason: "job-not-finished" | "not-undoable" | "nothing-changed" | "undo-expired" | "already-undone" | null;
            /**
             * Format: date-time
             * @description Until when it can be undone; null when nothing is known of its changes.
             * @example 2025-12-20T09:30:00.000Z
             */
            until: string | null;
            /**
             * @description Messages the job itself has changed.
             * @example 4780
             */
            messages: number;
            /**
             * @description Calls of the provider that change something, at most.
             * @example 6
             */
            calls: number;
            /**
             * @description The job that undoes it or has undone it; null when there is none.
             * @example undo_changes-43
             */
            undoneBy: string | null;
            /** @example true */
            undoable: boolean;
        };
        UndoStartedResponse: {
            /**
             * @description Id of the job; see `GET /api/jobs/{jobId}`.
             * @example undo_changes-43
             */
            jobId: string;
            /**
             * @description Confirmation to show to the user.
             * @example Undo started: 4,780 messages
             */
            message: string;
        };
        JobResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example active */
            status: components["schemas"]["JobStatus"];
            /**
             * @description 0–100: items dealt with, done or failed, of the total.
             * @example 40
             */
            progress: number;
            /**
             * @description Items to process; 0 while unknown.
             * @example 10000
             */
            total: number;
            /**
             * @description Items that were done.
             * @example 4000
             */
            processed: number;
            /**
             * @description Items that failed; `result.failures` names them, each with the reason.
             * @example 0
             */
            failed: number;
            /**
             * Format: uuid
             * @description null for jobs that concern no single account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string | null;
            /**
             * @description Set when the job has ended: facts about its work, and the first 1,000 `failures: [{item, reason}]`.
             * @example {
             *       "failures": []
             *     }
             */
            result: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Why the job failed, or why somebody other than its owner stopped it, as a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The same as a stable code.
             * @example null
             */
            error_code: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             * @example 2026-05-04T09:30:00.010Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; a cancelled job ends with its current batch.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description The job's input.
             * @example {
             *       "action": "mark_read",
             *       "messageIds": [
             *         "18c2f3a4b5d6e7f8"
             *       ]
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            /** @description Whether arrays in `payload` were cut to 100 items; `GET /api/jobs/{jobId}` returns them whole. */
            payload_truncated: boolean;
            /** @description Whether `payload` was deleted, as the job ended long ago. */
            payload_removed: boolean;
            /**
             * @description The jobId that started it: `<kind>-<number>`.
             * @example bulk_operation-42
             */
            queue_id: string;
            /**
             * @description Kind of the job.
             * @example bulk_operation
             */
            type: string;
        };
        /**
         * @description Live state: `delayed` while a job lost with its process waits to be picked up again, and while a job waits for a
         *     service that has asked for a pause; `active` also while a
         *     cancelled job finishes its batch.
         * @enum {string}
         */
        JobQueueState: "waiting" | "delayed" | "active" | "completed" | "failed" | "cancelled";
        JobDetailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example active */
            status: components["schemas"]["JobStatus"];
            /**
             * @description 0–100: items dealt with, done or failed, of the total.
             * @example 40
             */
            progress: number;
            /**
             * @description Items to process; 0 while unknown.
             * @example 10000
             */
            total: number;
            /**
             * @description Items that were done.
             * @example 4000
             */
            processed: number;
            /**
             * @description Items that failed; `result.failures` names them, each with the reason.
             * @example 0
             */
            failed: number;
            /**
             * Format: uuid
             * @description null for jobs that concern no single account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string | null;
            /**
             * @description Set when the job has ended: facts about its work, and the first 1,000 `failures: [{item, reason}]`.
             * @example {
             *       "failures": []
             *     }
             */
            result: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Why the job failed, or why somebody other than its owner stopped it, as a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The same as a stable code.
             * @example null
             */
            error_code: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             * @example 2026-05-04T09:30:00.010Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; a cancelled job ends with its current batch.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description The job's input.
             * @example {
             *       "action": "mark_read",
             *       "messageIds": [
             *         "18c2f3a4b5d6e7f8"
             *       ]
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            /**
             * @description Live state: `delayed` while a job lost with its process waits to be picked up again, and while a job waits for a
             *     service that has asked for a pause; `active` also while a
             *     cancelled job finishes its batch.
             * @example active
             */
            queueState: components["schemas"]["JobQueueState"];
            /** @description Whether arrays in `payload` were cut to 100 items; `GET /api/jobs/{jobId}` returns them whole. */
            payload_truncated: boolean;
            /** @description Whether `payload` was deleted, as the job ended long ago. */
            payload_removed: boolean;
            /**
             * @description The jobId that started it: `<kind>-<number>`.
             * @example bulk_operation-42
             */
            queue_id: string;
            /**
             * @description Kind of the job.
             * @example bulk_operation
             */
            type: string;
        };
        StartedJobResponse: {
            /**
             * @description `<kind>-<number>`
             * @example bulk_operation-42
             */
            jobId: string;
        };
        ArchiveMailsDto: {
            /**
             * @description Ids of the mail provider, 1–50,000; repeated ids count once.
             * @example [
             *       "18c2f1a9b3d4e5f6"
             *     ]
             */
            messageIds?: string[] | null;
            /**
             * @description Native query of the mail provider; every message it matches is archived.
             * @example older_than:1y has:attachment
             */
            query?: string | null;
            /**
             * Format: uuid
             * @description A selection of this mailbox, in place of message ids; see `POST …/selections`.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            selectionId?: string | null;
            /**
             * @description With `selectionId`: its `count`, as a person has confirmed it. Another number is refused.
             * @example 4780
             */
            confirmedCount?: number | null;
            /**
             * @description Skip messages archived before. If false, they are fetched again and replaced where they differ.
             * @default true
             * @example true
             */
            differential?: boolean;
        };
        ArchiveJobResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example archive_mails-42
             */
            jobId: string;
        };
        ListedMailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * @description Size of the EML.
             * @example 48213
             */
            size_bytes: number;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_at: string;
            /**
             * @description Where its message is: in the mailbox, in its trash, or deleted there. Null when that is not known: of imported mail, and
             *     of mailboxes whose mail is not archived continuously.
             * @example mailbox
             * @enum {string|null}
             */
            presence: "mailbox" | "trash" | "gone" | null;
            /**
             * @description The mail provider's id; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that id, or
             *     `sha256:<hex>`. It never equals an id of the provider.
             * @example 18c2f1a9b3d4e5f6
             */
            mailbox_message_id: string;
            /** @example Annual report */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
            has_attachments: boolean;
            /**
             * @example [
             *       "INBOX"
             *     ]
             */
            label_ids: string[];
            /** @example 18c2f1a9b3d4e5f6 */
            thread_id: string;
            /** @example Bob Example <bob@example.com> */
            recipient: string;
            /** @example Dear Bob, attached you find … */
            snippet: string;
            is_encrypted: boolean;
            /** @description Whether its message was deleted in the mailbox: `presence` is `gone`. */
            only_in_archive: boolean;
        };
        MailPageResponse: {
            /**
             * @description Exact number of mails that match the filters.
             * @example 1234
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit used.
             * @example 50
             */
            limit: number;
            /**
             * Format: date-time
             * @description For further pages of the same list: the `archived_until` of the request, or when the archive's latest mail was archived;
             *     null when it has none.
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_until: string | null;
            /** @description Newest first, or as sorted. */
            mails: components["schemas"]["ListedMailResponse"][];
        };
        StoredAttachmentResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            id: string;
            /**
             * @description Size of the decoded content.
             * @example 30211
             */
            size_bytes: number;
            /**
             * @description Its location: key of the EML in its store, part and name. There is no second copy.
             * @example <userId>/<accountId>/2024/02/<mailId>.eml#2/report.pdf
             */
            file_path: string;
            /** @example report.pdf */
            filename: string;
            /** @example application/pdf */
            mime_type: string;
        };
        MailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * @description Size of the EML.
             * @example 48213
             */
            size_bytes: number;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_at: string;
            /**
             * @description Where its message is: in the mailbox, in its trash, or deleted there. Null when that is not known: of imported mail, and
             *     of mailboxes whose mail is not archived continuously.
             * @example mailbox
             * @enum {string|null}
             */
            presence: "mailbox" | "trash" | "gone" | null;
            /**
             * @description The In-Reply-To header.
             * @example <1234@example.com>
             */
            in_reply_to: string | null;
            /**
             * @description The References header.
             * @example <1233@example.com> <1234@example.com>
             */
            references_header: string | null;
            /** @description The raw message as text (UTF-8 if valid, else Latin-1); null when encrypted or larger than 25 MiB. */
            emlContent: string | null;
            /**
             * @description SHA-256 of the stored bytes, hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description Parts of the message that could not be parsed; the raw message is complete nevertheless.
             * @example []
             */
            defects: string[];
            attachments: components["schemas"]["StoredAttachmentResponse"][];
            /**
             * @description The mail provider's id; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that id, or
             *     `sha256:<hex>`. It never equals an id of the provider.
             * @example 18c2f1a9b3d4e5f6
             */
            mailbox_message_id: string;
            /** @example Annual report */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
            has_attachments: boolean;
            /**
             * @example [
             *       "INBOX"
             *     ]
             */
            label_ids: string[];
            /** @example 18c2f1a9b3d4e5f6 */
            thread_id: string;
            /** @example Bob Example <bob@example.com> */
            recipient: string;
            /** @example Dear Bob, attached you find … */
            snippet: string;
            is_encrypted: boolean;
            /** @description Whether its message was deleted in the mailbox: `presence` is `gone`. */
            only_in_archive: boolean;
        };
        LabelFacetResponse: {
            /** @example 410 */
            count: number;
            /**
             * @description For the `label` filter.
             * @example Label_7
             */
            id: string;
            /**
             * @description Its latest name that is known, also after the mailbox was disconnected or the label deleted; else the id.
             * @example Bills
             */
            name: string;
        };
        SenderFacetResponse: {
            /** @example 120 */
            count: number;
            /**
             * @description Bytes of these mails.
             * @example 5400000
             */
            total_size: number;
            /**
             * @description Lower-case, for the `sender` filter; the whole From header when it has no address.
             * @example alice@example.com
             */
            address: string;
            /**
             * @description As in the newest mail.
             * @example Alice Example <alice@example.com>
             */
            sender: string;
        };
        MonthFacetResponse: {
            /** @example 41 */
            count: number;
            /**
             * @description In UTC.
             * @example 2024-02
             */
            month: string;
        };
        ArchiveFacetsResponse: {
            /**
             * @description Exact number of mails that match the filters.
             * @example 1310
             */
            total: number;
            /**
             * @description Their bytes.
             * @example 96000000
             */
            total_size: number;
            /** @example 200 */
            with_attachments: number;
            /** @example 12 */
            encrypted: number;
            /** @description The most frequent first. */
            labels: components["schemas"]["LabelFacetResponse"][];
            /** @description Those with the most mails first. */
            senders: components["schemas"]["SenderFacetResponse"][];
            /** @description The latest first; months without mail are left out. */
            months: components["schemas"]["MonthFacetResponse"][];
        };
        FoundMailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * @description Size of the EML.
             * @example 48213
             */
            size_bytes: number;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_at: string;
            /**
             * @description Where its message is: in the mailbox, in its trash, or deleted there. Null when that is not known: of imported mail, and
             *     of mailboxes whose mail is not archived continuously.
             * @example mailbox
             * @enum {string|null}
             */
            presence: "mailbox" | "trash" | "gone" | null;
            /**
             * Format: uuid
             * @description The mailbox whose archive it is in.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string;
            /**
             * @description The mail provider's id; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that id, or
             *     `sha256:<hex>`. It never equals an id of the provider.
             * @example 18c2f1a9b3d4e5f6
             */
            mailbox_message_id: string;
            /** @example Annual report */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
            has_attachments: boolean;
            /**
             * @example [
             *       "INBOX"
             *     ]
             */
            label_ids: string[];
            /** @example 18c2f1a9b3d4e5f6 */
            thread_id: string;
            /** @example Bob Example <bob@example.com> */
            recipient: string;
            /** @example Dear Bob, attached you find … */
            snippet: string;
            is_encrypted: boolean;
            /** @description Whether its message was deleted in the mailbox: `presence` is `gone`. */
            only_in_archive: boolean;
        };
        ArchiveSearchResponse: {
            /**
             * @description Exact number of mails that match the filters, in all archives.
             * @example 1234
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit used.
             * @example 50
             */
            limit: number;
            /**
             * Format: date-time
             * @description For further pages of the same list: the `archived_until` of the request, or when the latest mail was archived; null when
             *     there is none.
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_until: string | null;
            /** @description Newest first, or as sorted. */
            mails: components["schemas"]["FoundMailResponse"][];
        };
        ThreadResponse: {
            /**
             * @description Archived mails of the thread.
             * @example 4
             */
            message_count: number;
            /**
             * Format: date-time
             * @example 2024-02-29T12:34:56.000Z
             */
            latest_date: string;
            /**
             * @description Bytes of all its mails.
             * @example 192004
             */
            total_size: number;
            /**
             * Format: uuid
             * @description Id of the most recent mail, like the fields below.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_at: string;
            /** @example 18c2f1a9b3d4e5f6 */
            thread_id: string;
            /**
             * @description Each sender once, in the order they joined.
             * @example [
             *       "Alice Example <alice@example.com>"
             *     ]
             */
            senders: string[];
            has_attachments: boolean;
            /** @example Re: Annual report */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
            /** @example Thank you, that clears it up. */
            snippet: string;
        };
        ThreadPageResponse: {
            /**
             * @description Exact number of threads with a mail that matches the filters.
             * @example 321
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit used.
             * @example 50
             */
            limit: number;
            /** @description Threads with the latest mail first. */
            threads: components["schemas"]["ThreadResponse"][];
        };
        AttachmentResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            id: string;
            /**
             * @description Size of the decoded content.
             * @example 30211
             */
            size_bytes: number;
            /** @example report.pdf */
            filename: string;
            /** @example application/pdf */
            mime_type: string;
        };
        ThreadMailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * @description Size of the EML.
             * @example 48213
             */
            size_bytes: number;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_at: string;
            /**
             * @description Where its message is: in the mailbox, in its trash, or deleted there. Null when that is not known: of imported mail, and
             *     of mailboxes whose mail is not archived continuously.
             * @example mailbox
             * @enum {string|null}
             */
            presence: "mailbox" | "trash" | "gone" | null;
            /** @example <1234@example.com> */
            in_reply_to: string | null;
            /** @example <1233@example.com> <1234@example.com> */
            references_header: string | null;
            attachments: components["schemas"]["AttachmentResponse"][];
            /**
             * @description The mail provider's id; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that id, or
             *     `sha256:<hex>`. It never equals an id of the provider.
             * @example 18c2f1a9b3d4e5f6
             */
            mailbox_message_id: string;
            /** @example Annual report */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
            has_attachments: boolean;
            /**
             * @example [
             *       "INBOX"
             *     ]
             */
            label_ids: string[];
            /** @example 18c2f1a9b3d4e5f6 */
            thread_id: string;
            /** @example Bob Example <bob@example.com> */
            recipient: string;
            /** @example Dear Bob, attached you find … */
            snippet: string;
            is_encrypted: boolean;
            /** @description Whether its message was deleted in the mailbox: `presence` is `gone`. */
            only_in_archive: boolean;
        };
        MailFilters: {
            /**
             * @description Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
             *     are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word.
             * @example invoice "annual report" -draft
             */
            q?: string;
            /**
             * @description Part of the sender's name or address, in any case.
             * @example alice@example.com
             */
            sender?: string;
            /**
             * @description Part of the To line, in any case.
             * @example bob@example.com
             */
            recipient?: string;
            /**
             * @description A label as mails have it: the mailbox's id, or the name that imported mail came with.
             * @example INBOX
             */
            label?: string;
            /**
             * @description ISO 8601, inclusive; a date without time begins with its day in UTC.
             * @example 2024-01-01
             */
            from_date?: string;
            /**
             * @description ISO 8601, inclusive; a date without time ends with its day in UTC.
             * @example 2024-12-31
             */
            to_date?: string;
            /**
             * @description Only mails with (true) or without (false) attachments.
             * @example true
             */
            has_attachments?: boolean;
            /**
             * @description In bytes, inclusive.
             * @example 1000000
             */
            min_size?: number;
            /**
             * @description In bytes, inclusive.
             * @example 25000000
             */
            max_size?: number;
            /**
             * @description Only mails that are (true) or are not (false) encrypted.
             * @example false
             */
            encrypted?: boolean;
            /**
             * @description Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox.
             * @example true
             */
            only_in_archive?: boolean;
            /**
             * @description ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
             *     not move when more mail is archived.
             * @example 2024-03-01T08:00:00.000Z
             */
            archived_until?: string;
        };
        DeleteMailsDto: {
            /**
             * @description Ids of archived mails, 1–50,000; repeated ids count once.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            mailIds?: string[] | null;
            /**
             * @description All mails that a list with these filters shows.
             * @example {
             *       "q": "invoice",
             *       "to_date": "2020-12-31"
             *     }
             */
            filter?: components["schemas"]["MailFilters"] | null;
            /**
             * @description How many mails are to be deleted, as somebody has seen and confirmed.
             * @example 1310
             */
            confirmedCount: number;
        };
        DeleteMailsJobResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example delete_archived_mails-42
             */
            jobId: string;
        };
        /**
         * @description `keep`: each message is copied. `watch`: the ledger is kept, nothing is copied. `off`: neither.
         * @enum {string}
         */
        ArchivingMode: "off" | "watch" | "keep";
        /**
         * @description The first that holds of these, in this order.
         * @enum {string}
         */
        ArchivingState: "off" | "needs_reconnection" | "paused" | "quota_full" | "behind" | "healthy";
        ArchivingResponse: {
            /**
             * @description `keep`: each message is copied. `watch`: the ledger is kept, nothing is copied. `off`: neither.
             * @example keep
             */
            mode: components["schemas"]["ArchivingMode"];
            /**
             * @description Messages that are not copied; the first that matches counts.
             * @example [
             *       "spam",
             *       "trash",
             *       "drafts"
             *     ]
             */
            exclusions: string[];
            /**
             * @description A copy counts as verified for so many days after its file was last read.
             * @example 8
             */
            verifyDays: number;
            /**
             * @description The ledger is compared with the whole mailbox every so many days.
             * @example 7
             */
            reconcileDays: number;
            /**
             * @description Hours in a bad way after which its owner is notified; null: never.
             * @example 24
             */
            notifyAfterHours: number | null;
            /**
             * @description The first that holds of these, in this order.
             * @example healthy
             */
            state: components["schemas"]["ArchivingState"];
            /**
             * @description Why it is `behind`; null in every other state.
             * @example null
             * @enum {string|null}
             */
            reason: "first-fill" | "backlog" | "provider" | "store" | "history-lost" | "incomplete" | null;
            /**
             * Format: date-time
             * @description Since when it is in a bad way: `needs_reconnection`, `quota_full` or `behind`; null otherwise.
             * @example null
             */
            since: string | null;
            /**
             * Format: date-time
             * @description When the mailbox was last asked for changes.
             * @example 2026-05-04T09:30:00.000Z
             */
            lookedAt: string | null;
            /**
             * Format: date-time
             * @description When a message was last copied.
             * @example 2026-05-04T09:29:12.000Z
             */
            copiedAt: string | null;
            /**
             * @description Messages that wait to be copied.
             * @example 0
             */
            pending: number;
            /**
             * Format: date-time
             * @description When the first of them began to wait.
             * @example null
             */
            oldestPendingAt: string | null;
            /**
             * Format: date-time
             * @description When the ledger was last compared with the whole mailbox.
             * @example 2026-05-01T02:11:00.000Z
             */
            reconciledAt: string | null;
            /**
             * @description The job under way that compares or copies; null when there is none.
             * @example keep_copies-42
             */
            jobId: string | null;
            /**
             * @description Whether it rests because its owner wants it to.
             * @example false
             */
            paused: boolean;
            /**
             * @description Whether labels of archived mail follow those of its message.
             * @example true
             */
            followLabels: boolean;
            /**
             * @description Whether the ledger is the mailbox, message by message, as of the last look.
             * @example true
             */
            exact: boolean;
            /**
             * @description Folders on an IMAP server whose messages are not known, or not all: the first 100, by path.
             * @example []
             */
            incompleteFolders: string[];
        };
        UpdateArchivingDto: {
            /**
             * @description `keep`: each message is copied. `watch`: the ledger is kept, nothing is copied. `off`: neither.
             * @example keep
             */
            mode?: components["schemas"]["ArchivingMode"];
            /**
             * @description While it is set nothing is read or copied.
             * @example false
             */
            paused?: boolean;
            /**
             * @description Messages that are not copied; the first that matches counts. `spam`, `trash`, `drafts`, `label:<id>`,
             *     `sender:<address>`, `sender:@<domain>`, `larger_than:<bytes>`, `older_than:<number>d`, `younger_than:<number>h` or
             *     `<number>d`: what is deleted within that time is never copied. What is in the archive stays there.
             * @example [
             *       "spam",
             *       "trash",
             *       "drafts",
             *       "sender:@newsletters.example"
             *     ]
             */
            exclusions?: string[];
            /**
             * @description A copy counts as verified for so many days after its file was last read.
             * @example 8
             */
            verifyDays?: number;
            /**
             * @description The ledger is compared with the whole mailbox every so many days.
             * @example 7
             */
            reconcileDays?: number;
            /**
             * @description Its owner is notified when archiving has been in a bad way for so many hours; null: never.
             * @example 24
             */
            notifyAfterHours?: number | null;
            /**
             * @description Labels of archived mail follow those of its message, until it goes to spam or trash.
             * @example true
             */
            followLabels?: boolean;
        };
        ReconcileResponse: {
            /**
             * @description The job that does it.
             * @example reconcile_mailbox-42
             */
            jobId: string;
            /**
             * @description For people to read.
             * @example The ledger is being compared with the mailbox.
             */
            message: string;
        };
        ExportZipDto: {
            /**
             * @description Ids of archived mails, 1–10,000.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            mailIds: string[];
        };
        MailSelectionDto: {
            /**
             * @description Ids of archived mails, 1–50,000; repeated ids count once.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            mailIds?: string[] | null;
            /**
             * @description All archived mails of these conversations, 1–10,000.
             * @example [
             *       "18c2f1a9b3d4e5f6"
             *     ]
             */
            threadIds?: string[] | null;
            /**
             * Format: uuid
             * @description The mails whose messages an offload plan has moved to the trash.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            planId?: string | null;
            /**
             * @description All mails that a list with these filters shows.
             * @example {
             *       "q": "invoice",
             *       "to_date": "2020-12-31"
             *     }
             */
            filter?: components["schemas"]["MailFilters"] | null;
            /**
             * @description Every mail of the account's archive.
             * @example true
             * @enum {boolean|null}
             */
            all?: true | null;
        };
        ExportMailboxDto: {
            /**
             * @example {
             *       "filter": {
             *         "to_date": "2020-12-31"
             *       }
             *     }
             */
            select: components["schemas"]["MailSelectionDto"];
            /**
             * @description `maildir`: a Maildir++ tree with a folder for each label; `mbox`: mboxrd files, oldest mail first.
             * @example maildir
             * @enum {string}
             */
            format: "maildir" | "mbox";
        };
        ExportMboxDto: {
            /**
             * @description Ids of archived mails, 1–50,000; all mails of the account when omitted.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            mailIds?: string[] | null;
        };
        PrepareExportDto: {
            /**
             * @description Ids of archived mails, 1–50,000; repeated ids count once.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     ]
             */
            mailIds?: string[] | null;
            /**
             * @description All mails that a list with these filters shows.
             * @example {
             *       "q": "invoice",
             *       "to_date": "2020-12-31"
             *     }
             */
            filter?: components["schemas"]["MailFilters"] | null;
            /**
             * @description `zip`: EML files and a manifest with their SHA-256 hashes; `mbox`: one mboxrd file, oldest mail first.
             * @example zip
             * @enum {string}
             */
            format: "zip" | "mbox";
            /**
             * @description Deflate the entries of a ZIP instead of storing them: a smaller file, at a fifth of the speed.
             * @default false
             * @example true
             */
            compress?: boolean | null;
        };
        PreparedExportResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description How many mails it has.
             * @example 1310
             */
            mails: number;
            /**
             * @description Of the mails; the file has a little more, or less if it is compressed.
             * @example 91226112
             */
            bytes: number;
            /**
             * Format: date-time
             * @example 2024-02-29T12:44:56.000Z
             */
            expires_at: string;
            /**
             * @description Where to download it, with a session or a token: a path on this server.
             * @example /api/archive/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c/exports/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            url: string;
            /** @example archive-export-2024-02-29.zip */
            filename: string;
        };
        StorageConfigResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id?: string;
            /**
             * @example objstore
             * @enum {string}
             */
            type: "local" | "objstore";
            /** @example https://s3.eu-central-1.amazonaws.com */
            objstore_endpoint?: string;
            /** @example eu-central-1 */
            objstore_region?: string;
            /** @example mailroom-archives */
            objstore_bucket?: string;
            /** @example true */
            objstore_force_path_style?: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            created_at?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            updated_at?: string;
        };
        StorageConfigDto: {
            /**
             * @description The storage of new mail: the service's disk or an object store (S3).
             * @example objstore
             * @enum {string}
             */
            type: "local" | "objstore";
            /**
             * @description Address of the object store: scheme, host and port. Required for `objstore`.
             * @example https://s3.eu-central-1.amazonaws.com
             */
            objstoreEndpoint?: string;
            /**
             * @description Region of the bucket.
             * @default us-east-1
             * @example eu-central-1
             */
            objstoreRegion?: string;
            /**
             * @description Name of the bucket; it is created if there is none.
             * @default mailroom-archives
             * @example mailroom-archives
             */
            objstoreBucket?: string;
            /**
             * @description Required for `objstore`. Never returned.
             * @example AKIAIOSFODNN7EXAMPLE
             */
            objstoreAccessKeyId?: string;
            /**
             * Format: password
             * @description Required for `objstore`. Stored encrypted, never returned.
             * @example wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
             */
            objstoreSecretAccessKey?: string;
            /**
             * @description Whether the bucket is named in the path instead of the host name, as most stores other than Amazon's expect.
             * @default true
             * @example true
             */
            objstoreForcePathStyle?: boolean;
        };
        StorageSavedResponse: {
            /** @example true */
            success: boolean;
        };
        TestObjectStoreDto: {
            /**
             * @description Address of the object store: scheme, host and port.
             * @example https://s3.eu-central-1.amazonaws.com
             */
            endpoint: string;
            /**
             * @description Region of the bucket.
             * @default us-east-1
             * @example eu-central-1
             */
            region?: string;
            /**
             * @description Name of the bucket; it is created if there is none.
             * @default mailroom-archives
             * @example mailroom-archives
             */
            bucket?: string;
            /** @example AKIAIOSFODNN7EXAMPLE */
            accessKeyId: string;
            /**
             * Format: password
             * @example wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
             */
            secretAccessKey: string;
            /**
             * @description Whether the bucket is named in the path instead of the host name.
             * @default true
             * @example true
             */
            forcePathStyle?: boolean;
        };
        ObjectStoreTestResponse: {
            /**
             * @description Whether the object store can be used.
             * @example false
             */
            success: boolean;
            /**
             * @description The reason, if it cannot be used.
             * @example The object store cannot be used: the secret access key is wrong.
             */
            error?: string;
        };
        ImportJobResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example import_mbox-42
             */
            jobId: string;
        };
        ImportImapDto: {
            /**
             * @description Host name or IP address.
             * @example imap.example.com
             */
            host: string;
            /**
             * @default 993
             * @example 993
             */
            port?: number | null;
            /**
             * @description TLS from the first byte, with a verified certificate. `false`: no protection, or STARTTLS without verification
             *     where the server offers it.
             * @default true
             */
            secure?: boolean | null;
            /** @example alice@example.com */
            user: string;
            /**
             * @description Name of the folder, with `/` or the server's own separator between levels.
             * @default INBOX
             * @example Archive/2024
             */
            folder?: string | null;
            /**
             * @description Import only this many of the newest messages; all when omitted.
             * @example 1000
             */
            maxMessages?: number | null;
            /**
             * @description Kept encrypted until the job ends, and never shown.
             * @example correct-horse-battery-staple
             */
            pass: string;
        };
        ImportImapResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example import_imap-42
             */
            jobId: string;
        };
        CreateUploadDto: {
            /**
             * @description The name that people see.
             * @example Takeout/All mail.mbox
             */
            filename: string;
            /**
             * @description Bytes of the whole file: an mbox file of any dialect, plain or compressed with gzip.
             * @example 5368709120
             */
            size: number;
        };
        ResumableUploadResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description Bytes of the whole file.
             * @example 5368709120
             */
            size: number;
            /**
             * @description Bytes that have arrived: the next chunk begins here.
             * @example 16777216
             */
            offset: number;
            /**
             * @description The most bytes that a chunk may have.
             * @example 16777216
             */
            chunkBytes: number;
            /**
             * Format: date-time
             * @description When the upload is given up unless a chunk comes.
             * @example 2024-03-01T08:00:00.000Z
             */
            expires_at: string;
            /** @example All mail.mbox */
            filename: string;
        };
        ImapTargetDto: {
            /**
             * @description Host name or IP address.
             * @example imap.example.com
             */
            host: string;
            /**
             * @default 993
             * @example 993
             */
            port?: number | null;
            /**
             * @description TLS from the first byte, with a verified certificate. `false`: no protection, or STARTTLS without verification
             *     where the server offers it.
             * @default true
             */
            secure?: boolean | null;
            /** @example alice@example.com */
            user: string;
            /**
             * @description Kept encrypted until the restore is done or has expired, and never shown.
             * @example correct-horse-battery-staple
             */
            pass: string;
            /**
             * @description Folder in which all restored folders are made, with `/` between levels; without it mail goes into the user's own
             *     folders.
             * @example Restored/2026
             */
            root?: string | null;
        };
        RestoreTargetDto: {
            /**
             * Format: uuid
             * @description A connected mailbox of yours, also the one that the mail was archived from.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            accountId?: string | null;
            imap?: components["schemas"]["ImapTargetDto"] | null;
        };
        PlanRestoreDto: {
            /**
             * @example {
             *       "filter": {
             *         "q": "invoice"
             *       }
             *     }
             */
            select: components["schemas"]["MailSelectionDto"];
            /**
             * @example {
             *       "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
             *     }
             */
            target: components["schemas"]["RestoreTargetDto"];
            /**
             * @description `original`: the labels that the archive has; `none`: only `addLabel`.
             * @default original
             * @enum {string|null}
             */
            labels?: "original" | "none" | null;
            /**
             * @description A label for every restored mail, which is created if need be. An IMAP folder is made of it when a mail has no other.
             * @example Restored
             */
            addLabel?: string | null;
            /**
             * @description What becomes of a mail when another message with its Message-ID is there: it is left out, or added as well.
             * @default skip
             * @enum {string|null}
             */
            onDifferent?: "skip" | "insert" | null;
            /**
             * @description Read back what has arrived, and compare every byte.
             * @default true
             */
            verify?: boolean | null;
        };
        RestoreJobResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            restoreId: string;
            /**
             * @description Id of the job; see `GET /api/jobs/{jobId}`.
             * @example restore_mails-42
             */
            jobId: string;
        };
        ImapTargetResponse: {
            /** @example 993 */
            port: number;
            /** @example Restored/2026 */
            root: string | null;
            /** @example imap.example.com */
            host: string;
            /** @example true */
            secure: boolean;
            /** @example alice@example.com */
            user: string;
        };
        RestoreSummaryResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description `planning`: the dry run is under way; `ready`: it can be started; `running`; `done`; `stopped`: its job has ended before
             *     the work was done.
             * @example done
             * @enum {string}
             */
            status: "planning" | "ready" | "running" | "done" | "stopped";
            /**
             * Format: uuid
             * @description The mailbox that mail is restored to; null for a server.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            targetAccountId: string | null;
            imap: components["schemas"]["ImapTargetResponse"] | null;
            /**
             * @example original
             * @enum {string}
             */
            labels: "original" | "none";
            /** @example Restored */
            addLabel: string | null;
            /**
             * @example skip
             * @enum {string}
             */
            onDifferent: "skip" | "insert";
            /**
             * @description Mails in all, once the dry run has counted them.
             * @example 1310
             */
            mails: number;
            /** @example 91226112 */
            bytes: number;
            /**
             * @description Of the mails: they take the passphrase when the restore is started.
             * @example 0
             */
            encrypted: number;
            /**
             * @description Of the mails: the mailbox does not take them.
             * @example 0
             */
            tooLarge: number;
            /**
             * @description Of the provider's quota; null for a server.
             * @example 65500
             */
            units: number | null;
            /**
             * @description At the pace of the quota; null for a server.
             * @example 11
             */
            minutes: number | null;
            /**
             * Format: date-time
             * @example 2026-02-28T12:34:56.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be started, or taken up again.
             * @example 2026-03-01T12:34:56.000Z
             */
            expiresAt: string;
            /** @example true */
            verify: boolean;
            /**
             * @example [
             *       "Work/2020"
             *     ]
             */
            labelsToCreate: string[];
            /**
             * @description The last job of it.
             * @example restore_mails-42
             */
            jobId: string;
        };
        RestorePageResponse: {
            items: components["schemas"]["RestoreSummaryResponse"][];
            /**
             * Format: uuid
             * @description `after` of the next page; null: this is the last.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            next: string | null;
        };
        RestoreCountsResponse: {
            /** @example 0 */
            waiting: number;
            /**
             * @description Taken out of the trash, with their ids, dates and conversations.
             * @example 120
             */
            untrashed: number;
            /** @example 1180 */
            inserted: number;
            /**
             * @description Every byte of them was there.
             * @example 8
             */
            alreadyThere: number;
            /**
             * @description Another message with the same Message-ID was there, and they were left out.
             * @example 1
             */
            sameIdDiffers: number;
            /** @example 0 */
            tooLarge: number;
            /**
             * @description Encrypted, and there was no passphrase.
             * @example 0
             */
            encrypted: number;
            /**
             * @description Their copies are missing or altered.
             * @example 0
             */
            damaged: number;
            /** @example 1 */
            failed: number;
        };
        RestoreNotesResponse: {
            /**
             * @description Their dates in the mailbox are others, by more than a minute.
             * @example 0
             */
            dateDiffers: number;
            /**
             * @description They did not get all of their labels.
             * @example 0
             */
            labelRefused: number;
            /**
             * @description They are not in the conversation of the others.
             * @example 0
             */
            threadNotKept: number;
            /**
             * @description Every byte arrived, and the provider has added header fields.
             * @example 0
             */
            fieldsAdded: number;
            /**
             * @description What arrived is not what was sent.
             * @example 0
             */
            bytesDiffer: number;
        };
        RestoreSampleResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string;
            /**
             * Format: date-time
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /** @example 48213 */
            sizeBytes: number;
            /** @example Your invoice */
            subject: string;
            /** @example Alice <alice@example.com> */
            sender: string;
        };
        RestoreResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description `planning`: the dry run is under way; `ready`: it can be started; `running`; `done`; `stopped`: its job has ended before
             *     the work was done.
             * @example done
             * @enum {string}
             */
            status: "planning" | "ready" | "running" | "done" | "stopped";
            /**
             * Format: uuid
             * @description The mailbox that mail is restored to; null for a server.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            targetAccountId: string | null;
            imap: components["schemas"]["ImapTargetResponse"] | null;
            /**
             * @example original
             * @enum {string}
             */
            labels: "original" | "none";
            /** @example Restored */
            addLabel: string | null;
            /**
             * @example skip
             * @enum {string}
             */
            onDifferent: "skip" | "insert";
            /**
             * @description Mails in all, once the dry run has counted them.
             * @example 1310
             */
            mails: number;
            /** @example 91226112 */
            bytes: number;
            /**
             * @description Of the mails: they take the passphrase when the restore is started.
             * @example 0
             */
            encrypted: number;
            /**
             * @description Of the mails: the mailbox does not take them.
             * @example 0
             */
            tooLarge: number;
            /**
             * @description Of the provider's quota; null for a server.
             * @example 65500
             */
            units: number | null;
            /**
             * @description At the pace of the quota; null for a server.
             * @example 11
             */
            minutes: number | null;
            /**
             * Format: date-time
             * @example 2026-02-28T12:34:56.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be started, or taken up again.
             * @example 2026-03-01T12:34:56.000Z
             */
            expiresAt: string;
            counts: components["schemas"]["RestoreCountsResponse"];
            notes: components["schemas"]["RestoreNotesResponse"];
            /** @description The oldest of the mails, 20 at most. */
            sample: components["schemas"]["RestoreSampleResponse"][];
            /** @example true */
            verify: boolean;
            /**
             * @example [
             *       "Work/2020"
             *     ]
             */
            labelsToCreate: string[];
            /**
             * @description The last job of it.
             * @example restore_mails-42
             */
            jobId: string;
        };
        RestoreItemResponse: {
            /** @example 0 */
            position: number;
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string;
            /**
             * @description `inserting`: it is not known yet whether it is there; `arrived`: it is, and is still to be compared.
             * @example done
             * @enum {string}
             */
            state: "pending" | "inserting" | "arrived" | "done";
            /**
             * @example inserted
             * @enum {string|null}
             */
            outcome: "untrashed" | "inserted" | "already-there" | "same-id-differs" | "too-large" | "encrypted" | "damaged" | "failed" | null;
            /** @example [] */
            notes: ("date-differs" | "label-refused" | "thread-not-kept" | "fields-added" | "bytes-differ")[];
            /**
             * @description Stable code, of `damaged` and `failed`.
             * @example copy-missing
             */
            reason: string | null;
            /**
             * @description The message in the mailbox, or the one that is there in its place.
             * @example 18c2f1a9b3d4e5f6
             */
            targetId: string | null;
            /**
             * @description SHA-256 of the message, hex; null: it has not been read.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string | null;
            /**
             * @description null: the mail has been deleted from the archive.
             * @example Your invoice
             */
            subject: string | null;
            /** @example Alice <alice@example.com> */
            sender: string | null;
            /**
             * Format: date-time
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string | null;
            /** @example 48213 */
            sizeBytes: number | null;
        };
        RestoreItemsResponse: {
            items: components["schemas"]["RestoreItemResponse"][];
            /**
             * @description `after` of the next page; null: this is the last.
             * @example 99
             */
            next: number | null;
        };
        RetentionPolicyResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @description Its owner.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c
             */
            user_id: string;
            /**
             * Format: uuid
             * @description The account it applies to; null: all accounts of the owner.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            mailbox_account_id: string | null;
            /**
             * @description The name of the policy.
             * @example Old promotions
             */
            name: string;
            /**
             * @description Id or name of the label it applies to; null: any mail.
             * @example CATEGORY_PROMOTIONS
             */
            label: string | null;
            /**
             * @description Days of 24 hours that mail is kept after its date.
             * @example 365
             */
            max_age_days: number;
            /**
             * Format: date-time
             * @description The start of its last run.
             * @example 2025-11-21T02:11:00.000Z
             */
            last_run_at: string | null;
            /**
             * @description Mails it has deleted so far.
             * @example 1200
             */
            deleted_count: number;
            /**
             * Format: date-time
             * @example 2025-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2025-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description An inactive policy deletes nothing.
             * @example true
             */
            is_active: boolean;
            /**
             * @description Whether it deletes copies of messages that were offloaded from the mailbox.
             * @example false
             */
            include_offloaded: boolean;
        };
        CreateRetentionPolicyDto: {
            /**
             * @description The name of the policy.
             * @example Old promotions
             */
            name: string;
            /**
             * Format: uuid
             * @description The account it applies to, one of the caller's; null or absent: all of them.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailboxAccountId?: string | null;
            /**
             * @description Only mail with this label: its exact id, or its name in any case. `promotions`, `social`, `updates` and `forums`
             *     are the categories unless the mailbox has a label of that name. null or absent: any mail.
             * @example CATEGORY_PROMOTIONS
             */
            label?: string | null;
            /**
             * @description Mail older than this many days of 24 hours, by its own date and not that of its archiving, is deleted.
             * @example 365
             */
            maxAgeDays: number;
            /**
             * @description An inactive policy deletes nothing.
             * @default true
             * @example true
             */
            isActive?: boolean;
            /**
             * @description Whether it also deletes copies of messages that were offloaded from the mailbox: they may be the only ones left.
             * @default false
             * @example false
             */
            includeOffloaded?: boolean;
        };
        RetentionWarningResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            policyId: string;
            /**
             * Format: uuid
             * @description The account whose mailbox could not be asked for its labels.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            accountId: string;
            /**
             * @description The reason, e.g. `mailbox-disconnected` or `provider-unavailable`.
             * @example mailbox-disconnected
             */
            code: string;
            /**
             * @description For people to read.
             * @example The mailbox could not be asked which label is named \Work\.
             */
            message: string;
        };
        RetentionRunResponse: {
            /**
             * @description Active policies.
             * @example 2
             */
            policiesRun: number;
            /**
             * @description Mails this run has deleted; a mail that two policies match counts once.
             * @example 1200
             */
            totalDeleted: number;
            /** @description Mailboxes that could not be asked for their labels; their mail stays until they can. */
            warnings: components["schemas"]["RetentionWarningResponse"][];
        };
        RetentionPreviewResponse: {
            /**
             * @description Number of mails.
             * @example 1200
             */
            count: number;
            /**
             * Format: int64
             * @description Size of their EML files.
             * @example 48000000
             */
            bytes: number;
            /**
             * Format: date-time
             * @description Date of the oldest mail; null when there is none.
             * @example 2015-03-01T08:00:00.000Z
             */
            oldest: string | null;
            /**
             * Format: date-time
             * @description Date of the newest mail; null when there is none.
             * @example 2024-11-20T17:45:00.000Z
             */
            newest: string | null;
            /** @description Mailboxes that could not be asked for their labels: a run may keep some of their mail. */
            warnings: components["schemas"]["RetentionWarningResponse"][];
        };
        UpdateRetentionPolicyDto: {
            /**
             * @description The name of the policy.
             * @example Old promotions
             */
            name?: string;
            /**
             * Format: uuid
             * @description The account it applies to, one of the caller's; null or absent: all of them.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailboxAccountId?: string | null;
            /**
             * @description Only mail with this label: its exact id, or its name in any case. `promotions`, `social`, `updates` and `forums`
             *     are the categories unless the mailbox has a label of that name. null or absent: any mail.
             * @example CATEGORY_PROMOTIONS
             */
            label?: string | null;
            /**
             * @description Mail older than this many days of 24 hours, by its own date and not that of its archiving, is deleted.
             * @example 365
             */
            maxAgeDays?: number;
            /**
             * @description An inactive policy deletes nothing.
             * @example true
             */
            isActive?: boolean;
            /**
             * @description Whether it also deletes copies of messages that were offloaded from the mailbox: they may be the only ones left.
             * @example false
             */
            includeOffloaded?: boolean;
        };
        /**
         * @description `missing`: there is no file; `altered`: its bytes are not those that were archived; `differs`: they are, and the mailbox
         *     holds other ones.
         * @enum {string}
         */
        DamageKind: "missing" | "altered" | "differs";
        DamagedMailResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string;
            /**
             * @description `missing`: there is no file; `altered`: its bytes are not those that were archived; `differs`: they are, and the mailbox
             *     holds other ones.
             * @example altered
             */
            kind: components["schemas"]["DamageKind"];
            /**
             * Format: date-time
             * @example 2026-03-01T08:00:00.000Z
             */
            foundAt: string;
            /** @example Annual report */
            subject: string;
        };
        ArchiveIntegrityResponse: {
            /**
             * @description Archived mails.
             * @example 48211
             */
            total: number;
            /**
             * @description Of these, the mails whose files were hashed within the last seven days.
             * @example 48211
             */
            checkedThisWeek: number;
            /**
             * Format: date-time
             * @description null before the first check.
             * @example 2026-03-01T02:10:00.000Z
             */
            lastCheckedAt: string | null;
            /**
             * @description All mails that failed a check and have not passed one since.
             * @example 1
             */
            damagedCount: number;
            /** @description The latest of them first, at most 100. */
            damaged: components["schemas"]["DamagedMailResponse"][];
        };
        IntegrityCheckResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`; its result is the report.
             * @example check_integrity-42
             */
            jobId: string;
        };
        CoverageMomentResponse: {
            /**
             * @description The provider's cursor up to which changes of the mailbox are known; null: none yet.
             * @example 1234567
             */
            historyId: string | null;
            /**
             * Format: date-time
             * @description When the changes up to there were read.
             * @example 2026-03-01T08:00:00.000Z
             */
            at: string | null;
        };
        ExclusionCountResponse: {
            /** @example 12 */
            count: number;
            /**
             * @description What keeps the messages out: a type, and what follows a colon. `removed`: their copies were deleted.
             * @example spam
             */
            exclusion: string;
        };
        ReasonCountResponse: {
            /** @example 2 */
            count: number;
            /** @example copy-missing */
            reason: string;
        };
        ProviderCountResponse: {
            /**
             * @description The provider's own count of messages, when it was last asked.
             * @example 20000
             */
            total: number | null;
            /**
             * @description Whether it was as expected; null: not compared yet.
             * @example true
             */
            agreed: boolean | null;
            /**
             * Format: date-time
             * @example 2026-03-01T08:00:00.000Z
             */
            at: string | null;
        };
        OnlyInArchiveResponse: {
            /** @example 340 */
            count: number;
            /** @example 48213000 */
            bytes: number;
        };
        CoverageResponse: {
            /** @example 20000 */
            total: number;
            /**
             * @description In the archive, and the file was read and compared with its hash lately.
             * @example 19500
             */
            verified: number;
            /**
             * @description In the archive, and not compared lately.
             * @example 300
             */
            archived: number;
            /**
             * @description Not to be archived.
             * @example 150
             */
            excluded: number;
            /** @example 2 */
            failed: number;
            /**
             * @description Waiting to be archived.
             * @example 48
             */
            pending: number;
            /**
             * @description Of all messages whose sizes are known.
             * @example 1048576000
             */
            bytes: number;
            asOf: components["schemas"]["CoverageMomentResponse"];
            /** @description Whether `total` is the mailbox as of that moment, spam and trash included. If false, nothing is certain yet. */
            exact: boolean;
            /**
             * @description Folders on an IMAP server whose messages are not known, or not all: the first 100, by path.
             * @example []
             */
            incompleteFolders: string[];
            /** @description The most frequent first. */
            excludedBy: components["schemas"]["ExclusionCountResponse"][];
            /** @description The most frequent first. */
            failedBy: components["schemas"]["ReasonCountResponse"][];
            provider: components["schemas"]["ProviderCountResponse"];
            /** @description Archived mail whose messages were deleted in the mailbox. */
            onlyInArchive: components["schemas"]["OnlyInArchiveResponse"];
        };
        /** @enum {string} */
        CoverageClass: "verified" | "archived" | "excluded" | "failed" | "pending";
        CoveredMessageResponse: {
            /** @example verified */
            class: components["schemas"]["CoverageClass"];
            /**
             * @description What keeps it out.
             * @example spam
             */
            exclusion: string | null;
            /**
             * @description Why it failed.
             * @example copy-missing
             */
            reason: string | null;
            /**
             * @description Attempts that failed.
             * @example 0
             */
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-03-01T08:30:00.000Z
             */
            nextTryAt: string | null;
            /**
             * Format: uuid
             * @description The archived mail.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string | null;
            /**
             * Format: date
             * @description The day (UTC) on which its file was last compared with its hash.
             * @example 2026-02-27
             */
            verifiedOn: string | null;
            /** @example 18c2f1a9b3d4e5f6 */
            messageId: string;
            /**
             * @description Ids of its labels.
             * @example [
             *       "INBOX",
             *       "UNREAD"
             *     ]
             */
            labels: string[];
        };
        CoveredMessagePageResponse: {
            /**
             * @description The `after` of the next page; null: this is the last.
             * @example MTkzMmM1ZTdkNWI3YzNhOQ
             */
            next: string | null;
            items: components["schemas"]["CoveredMessageResponse"][];
        };
        ExplainedMessageResponse: {
            /**
             * @description null: the message is no longer in the mailbox, and its copy is in the archive.
             * @example verified
             * @enum {string|null}
             */
            class: "verified" | "archived" | "excluded" | "failed" | "pending" | null;
            /**
             * @description What keeps it out.
             * @example spam
             */
            exclusion: string | null;
            /**
             * @description Why it failed.
             * @example copy-missing
             */
            reason: string | null;
            /**
             * @description Attempts that failed.
             * @example 0
             */
            attempts: number;
            /**
             * Format: date-time
             * @example 2026-03-01T08:30:00.000Z
             */
            nextTryAt: string | null;
            /**
             * Format: uuid
             * @description The archived mail.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string | null;
            /**
             * Format: date
             * @description The day (UTC) on which its file was last compared with its hash.
             * @example 2026-02-27
             */
            verifiedOn: string | null;
            /** @example 18c2f1a9b3d4e5f6 */
            messageId: string;
            /**
             * @description Ids of its labels.
             * @example [
             *       "INBOX",
             *       "UNREAD"
             *     ]
             */
            labels: string[];
            /**
             * @description The same for people.
             * @example The message waits to be archived.
             */
            text: string;
        };
        AskDeletableDto: {
            /**
             * @description Ids of the mail provider, 1–10,000; repeated ids count once.
             * @example [
             *       "18c2f1a9b3d4e5f6"
             *     ]
             */
            messageIds?: string[] | null;
            /**
             * @description A query in the provider's own language; the mailbox is asked which messages it finds, at most 10,000.
             * @example older_than:2y larger:5M
             */
            query?: string | null;
        };
        /**
         * @description Why not.
         * @enum {string}
         */
        DeletionBlockingReason: "coverage-not-exact" | "gone" | "not-archived" | "not-verified" | "copy-missing" | "copy-altered" | "provider-differs" | "draft" | "in-trash" | "policy-would-remove";
        /**
         * @description Marks of the message. They do not prevent its deletion.
         * @enum {string}
         */
        DeletionNote: "starred" | "important" | "unread";
        DeletableMessageResponse: {
            /**
             * @description Why not.
             * @example []
             */
            reasons: components["schemas"]["DeletionBlockingReason"][];
            /**
             * @description Marks of the message. They do not prevent its deletion.
             * @example [
             *       "unread"
             *     ]
             */
            notes: components["schemas"]["DeletionNote"][];
            /** @example 18c2f1a9b3d4e5f6 */
            messageId: string;
            /** @description Whether the message may be deleted from the mailbox: its copy is right, and stays. */
            deletable: boolean;
        };
        DeletableResponse: {
            /**
             * @description Messages that may be deleted.
             * @example 980
             */
            yes: number;
            /** @example 20 */
            no: number;
            asOf: components["schemas"]["CoverageMomentResponse"];
            /** @description Each message once, in the order asked. */
            messages: components["schemas"]["DeletableMessageResponse"][];
        };
        /** @enum {string} */
        SavedSearchScope: "mailbox" | "archive";
        SavedSearchResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @description Its owner.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c
             */
            user_id: string;
            /**
             * @description Name of the search.
             * @example Invoices this year
             */
            name: string;
            /**
             * @description Of the mailbox, or of the archive.
             * @example mailbox
             */
            scope: components["schemas"]["SavedSearchScope"];
            /**
             * @description Query in the provider's own search language; of the archive, query parameters of its lists.
             * @example subject:invoice has:attachment newer_than:1y
             */
            query: string;
            /**
             * @description Icon shown with the search.
             * @example invoice
             * @enum {string|null}
             */
            icon: "folder" | "star" | "mail" | "attachment" | "invoice" | "alert" | "archive" | "calendar" | "work" | "shopping" | null;
            /**
             * @description Position in the list, in ascending order.
             * @example 0
             */
            sort_order: number;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description Colour shown with the search.
             * @example #3b82f6
             */
            color: string | null;
        };
        CreateSavedSearchDto: {
            /**
             * @description Name of the search.
             * @example Invoices this year
             */
            name: string;
            /**
             * @description Of the mailbox: in the provider's own search language. Of the archive: query parameters of the list of archived mails,
             *     e.g. `q=invoice&has_attachments=true`.
             * @example subject:invoice has:attachment newer_than:1y
             */
            query: string;
            /**
             * @description Icon shown with the search.
             * @example invoice
             * @enum {string|null}
             */
            icon?: "folder" | "star" | "mail" | "attachment" | "invoice" | "alert" | "archive" | "calendar" | "work" | "shopping" | null;
            /**
             * @description Colour shown with the search.
             * @example #3b82f6
             */
            color?: string | null;
            /**
             * @description What the search finds: messages of the live mailbox, or archived mails.
             * @default mailbox
             * @example mailbox
             */
            scope?: components["schemas"]["SavedSearchScope"];
        };
        ReorderSavedSearchesDto: {
            /**
             * @description Ids of searches in their new order. Other searches follow in the order they have.
             * @example [
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
             *       "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
             *     ]
             */
            ids: string[];
        };
        SavedSearchesDoneResponse: {
            /** @example true */
            ok: boolean;
        };
        UpdateSavedSearchDto: {
            /**
             * @description Name of the search.
             * @example Invoices this year
             */
            name?: string;
            /**
             * @description Of the mailbox: in the provider's own search language. Of the archive: query parameters of the list of archived mails,
             *     e.g. `q=invoice&has_attachments=true`.
             * @example subject:invoice has:attachment newer_than:1y
             */
            query?: string;
            /**
             * @description Icon shown with the search.
             * @example invoice
             * @enum {string|null}
             */
            icon?: "folder" | "star" | "mail" | "attachment" | "invoice" | "alert" | "archive" | "calendar" | "work" | "shopping" | null;
            /**
             * @description Colour shown with the search.
             * @example #3b82f6
             */
            color?: string | null;
            /**
             * @description What the search finds.
             * @example mailbox
             */
            scope?: components["schemas"]["SavedSearchScope"];
            /**
             * @description Position in the list, in ascending order.
             * @example 3
             */
            sort_order?: number;
        };
        /**
         * @description Property of the message that the condition tests.
         * @enum {string}
         */
        RuleField: "from" | "to" | "subject" | "has_attachment" | "size_gt" | "size_lt" | "label" | "older_than" | "newer_than";
        /**
         * @description Comparison.
         * @enum {string}
         */
        RuleOperator: "contains" | "not_contains" | "equals" | "not_equals" | "is_true" | "gt" | "lt";
        RuleConditionResponse: {
            /**
             * @description Property of the message that the condition tests.
             * @example from
             */
            field: components["schemas"]["RuleField"];
            /**
             * @description Comparison.
             * @example contains
             */
            operator: components["schemas"]["RuleOperator"];
            /**
             * @description Value to compare with.
             * @example newsletter@shop.example
             */
            value: string | number | boolean;
        };
        /**
         * @description Action on the matching messages.
         * @enum {string}
         */
        RuleActionType: "trash" | "delete" | "label" | "unlabel" | "archive" | "archive_nas" | "mark_read" | "mark_unread";
        RuleActionResponse: {
            /**
             * @description Action on the matching messages.
             * @example label
             */
            type: components["schemas"]["RuleActionType"];
            /**
             * @description Of `label` and `unlabel`.
             * @example Label_12
             */
            labelId?: string;
        };
        TemplatedRuleResponse: {
            /**
             * @description How often the rule runs automatically; null: only on demand.
             * @example null
             * @enum {string|null}
             */
            schedule: "hourly" | "daily" | "weekly" | "monthly" | null;
            /**
             * @description Name of the rule.
             * @example Trash old promotions
             */
            name: string;
            /** @description A message must meet all of them. */
            conditions: components["schemas"]["RuleConditionResponse"][];
            /** @description Action on the matching messages. */
            action: components["schemas"]["RuleActionResponse"];
        };
        RuleTemplateResponse: {
            /**
             * @description Chapter of the list of templates.
             * @example cleanup
             * @enum {string}
             */
            category: "cleanup" | "archive" | "organize";
            /**
             * @description Kebab-case, never changed.
             * @example trash-old-promotions
             */
            id: string;
            /**
             * @description Text for people.
             * @example Trash old promotions
             */
            name: string;
            /**
             * @description Effect of a rule of the template.
             * @example Moves promotions older than 6 months to the trash, except starred and important ones.
             */
            description: string;
            /** @description The rule itself. */
            dto: components["schemas"]["TemplatedRuleResponse"];
        };
        RuleResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @description The mailbox the rule is for.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c
             */
            mailbox_account_id: string;
            /**
             * @description Purpose of the rule, for its users.
             * @example Nobody reads them after a month
             */
            description: string;
            /**
             * @description How often the rule runs automatically; null: only on demand.
             * @example daily
             * @enum {string|null}
             */
            schedule: "hourly" | "daily" | "weekly" | "monthly" | null;
            /**
             * Format: date-time
             * @description When the last run began.
             * @example 2025-06-01T08:00:00.000Z
             */
            last_run_at: string | null;
            /**
             * @description Messages the last completed run acted on.
             * @example 42
             */
            last_run_count: number | null;
            /**
             * Format: date-time
             * @example 2025-05-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2025-05-01T08:00:00.000Z
             */
            updated_at: string;
            /**
             * @description As given.
             * @example Old newsletters
             */
            name: string;
            /** @description A message must meet all of them. */
            conditions: components["schemas"]["RuleConditionResponse"][];
            /** @description Action on the matching messages. */
            action: components["schemas"]["RuleActionResponse"];
            /**
             * @description An inactive rule does not run automatically.
             * @example true
             */
            is_active: boolean;
        };
        RuleConditionDto: {
            /**
             * @description Property of the message that the condition tests.
             * @example from
             */
            field: components["schemas"]["RuleField"];
            /**
             * @description Comparison. `from`, `to`, `subject` take `contains`, `not_contains`, `equals`, `not_equals`; `label` takes
             *     `equals`, `not_equals`; `older_than`, `newer_than` take `equals`; `has_attachment` takes `is_true`, `size_gt` takes
             *     `gt`, `size_lt` takes `lt`.
             * @example contains
             */
            operator: components["schemas"]["RuleOperator"];
            /**
             * @description Value to compare with: text, the id or name of a label, a number of bytes, an age as a number followed by `d`,
             *     `m` or `y`, or for `has_attachment` `true` (which may be omitted) or `false`.
             * @example newsletter@shop.example
             */
            value?: string | number | boolean;
        };
        RuleActionDto: {
            /**
             * @description Action on the matching messages. `trash` can be undone for 30 days, `delete` cannot; `archive` removes them from
             *     the inbox; `archive_nas` stores them in the archive.
             * @example label
             */
            type: components["schemas"]["RuleActionType"];
            /**
             * @description An existing label, for `label` and `unlabel`; ignored otherwise.
             * @example Label_12
             */
            labelId?: string;
        };
        CreateRuleDto: {
            /**
             * @description 1–255 characters.
             * @example Old newsletters
             */
            name: string;
            /**
             * @description Purpose of the rule, for its users.
             * @default
             * @example Nobody reads them after a month
             */
            description?: string;
            /** @description 1–20 conditions; a message must meet all of them. */
            conditions: components["schemas"]["RuleConditionDto"][];
            /** @description Action on the matching messages. */
            action: components["schemas"]["RuleActionDto"];
            /**
             * @description How often the rule runs automatically. null, the default on creation: only on demand.
             * @example daily
             * @enum {string|null}
             */
            schedule?: "hourly" | "daily" | "weekly" | "monthly" | null;
            /**
             * @description An inactive rule does not run automatically.
             * @default true
             * @example true
             */
            is_active?: boolean;
        };
        PreviewRuleDto: {
            /** @description 1–20 conditions; a message must meet all of them. */
            conditions: components["schemas"]["RuleConditionDto"][];
        };
        RulePreviewResponse: {
            /**
             * @description Messages the query finds: exactly up to 10,000, above that an estimate.
             * @example 1250
             */
            estimatedCount: number;
            /**
             * @description Starred messages among them.
             * @example 2
             */
            starredCount: number;
            /**
             * @description Messages among them that are marked important.
             * @example 7
             */
            importantCount: number;
            /**
             * @description The native query the conditions translate to.
             * @example from:(news) older_than:30d
             */
            query: string;
        };
        CreateRuleFromTemplateDto: {
            /**
             * @description Id of a template.
             * @example trash-old-promotions
             */
            templateId: string;
        };
        UpdateRuleDto: {
            /**
             * @description 1–255 characters.
             * @example Old newsletters
             */
            name?: string;
            /**
             * @description Purpose of the rule, for its users.
             * @example Nobody reads them after a month
             */
            description?: string;
            /** @description 1–20 conditions; a message must meet all of them. */
            conditions?: components["schemas"]["RuleConditionDto"][];
            /** @description Action on the matching messages. */
            action?: components["schemas"]["RuleActionDto"];
            /**
             * @description How often the rule runs automatically. null, the default on creation: only on demand.
             * @example daily
             * @enum {string|null}
             */
            schedule?: "hourly" | "daily" | "weekly" | "monthly" | null;
            /**
             * @description An inactive rule does not run automatically.
             * @example true
             */
            is_active?: boolean;
        };
        RuleRunResponse: {
            /**
             * @description The job that runs the rule; see `GET /api/jobs/{jobId}`.
             * @example run_rule-42
             */
            jobId: string;
            /**
             * @description Text for people.
             * @example Rule run started
             */
            message: string;
        };
        SigningKeyResponse: {
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description First 16 bytes of the SHA-256 of the key, hex.
             * @example 6f1ed002ab5595859014ebf0951522d9
             */
            keyId: string;
            /**
             * @description Ed25519, in PEM.
             * @example -----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n
             */
            publicKey: string;
        };
        OffloadSelectionDto: {
            /**
             * @description Ids of 1–50,000 messages; duplicates count once.
             * @example [
             *       "1932c5e7d5b7c3a9"
             *     ]
             */
            messageIds?: string[];
            /**
             * @description Query in the provider's own search language; empty: everything but spam and trash.
             * @example from:newsletter@example.org
             */
            query?: string;
            /**
             * Format: uuid
             * @description A rule of this mailbox: the messages that meet its conditions. Its action does not matter.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            ruleId?: string;
            /**
             * @description Only messages that arrived so many days ago or earlier.
             * @example 365
             */
            olderThanDays?: number;
            /**
             * @description Only messages of more bytes.
             * @example 5000000
             */
            largerThan?: number;
        };
        /**
         * @description `strict` fetches each message again and compares it with its copy; `fast` only reads the copy, and trusts the hash of its arrival.
         * @enum {string}
         */
        OffloadMode: "strict" | "fast";
        OffloadAllowDto: {
            /**
             * @description Starred messages go too.
             * @default false
             * @example false
             */
            starred?: boolean;
            /**
             * @description Messages marked important go too.
             * @default false
             * @example false
             */
            important?: boolean;
            /**
             * @description Unread messages go too.
             * @default false
             * @example true
             */
            unread?: boolean;
        };
        CreateOffloadPlanDto: {
            select: components["schemas"]["OffloadSelectionDto"];
            /**
             * @description `strict` fetches each message again and compares it with its copy; `fast` only reads the copy, and trusts the hash of its arrival.
             * @default strict
             * @example strict
             */
            mode?: components["schemas"]["OffloadMode"];
            /**
             * @default {
             *       "starred": false,
             *       "important": false,
             *       "unread": false
             *     }
             */
            allow?: components["schemas"]["OffloadAllowDto"];
        };
        OffloadPlanStartedResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            planId: string;
            /**
             * @description The job that makes the plan.
             * @example plan_offload-42
             */
            jobId: string;
        };
        /**
         * @description `stopped`: its job ended early; it can be confirmed again. `expired`: it is too old to be confirmed.
         * @enum {string}
         */
        OffloadPlanStatus: "planning" | "ready" | "running" | "stopped" | "done" | "expired";
        /** @enum {string} */
        OffloadItemState: "ready" | "verified" | "trashing" | "trashed" | "blocked";
        OffloadMessageResponse: {
            /** @example ready */
            state: components["schemas"]["OffloadItemState"];
            /**
             * @description Why it stays in the mailbox; null: it does not.
             * @example null
             * @enum {string|null}
             */
            reason: "not-archived" | "copy-missing" | "copy-altered" | "copy-encrypted" | "content-unknown" | "provider-differs" | "draft" | "starred" | "important" | "unread" | "in-trash" | "gone" | "policy-would-remove" | "changed-since-plan" | "changed-meanwhile" | "refused" | null;
            /**
             * Format: uuid
             * @description Its copy; null: it has none.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string | null;
            /** @example Your invoice */
            subject: string | null;
            /** @example Shop <shop@example.org> */
            sender: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            date: string | null;
            /**
             * @description Of the message.
             * @example 48210
             */
            sizeBytes: number | null;
            /**
             * @description SHA-256 of the archived message.
             * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
             */
            sha256: string | null;
            /**
             * @description With `provider-differs`: SHA-256 of what the mailbox holds.
             * @example null
             */
            providerSha256: string | null;
            /**
             * Format: date-time
             * @description When the copy was last read and found whole.
             * @example 2025-11-21T09:30:00.000Z
             */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When it was compared with what the mailbox holds.
             * @example 2025-11-21T09:30:00.000Z
             */
            comparedAt: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            trashedAt: string | null;
            /** @example 1932c5e7d5b7c3a9 */
            messageId: string;
        };
        OffloadPlanResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description `stopped`: its job ended early; it can be confirmed again. `expired`: it is too old to be confirmed.
             * @example ready
             */
            status: components["schemas"]["OffloadPlanStatus"];
            select: components["schemas"]["OffloadSelectionDto"];
            /** @example strict */
            mode: components["schemas"]["OffloadMode"];
            allow: components["schemas"]["OffloadAllowDto"];
            /**
             * @description Whether a schedule made it.
             * @example false
             */
            isScheduled: boolean;
            /**
             * @description Messages found; null: being planned, as in the fields that follow.
             * @example 5000
             */
            selected: number | null;
            /**
             * @description Those that can be moved; for `count` of the confirmation.
             * @example 4780
             */
            offloadable: number | null;
            /**
             * @description Those that stay, now.
             * @example 220
             */
            blocked: number | null;
            /**
             * @description Messages that stay, by reason.
             * @example {
             *       "starred": 20,
             *       "not-archived": 200
             *     }
             */
            blockedBy: {
                [key: string]: number;
            } | null;
            /**
             * @description Messages moved so far.
             * @example 0
             */
            trashed: number | null;
            /**
             * Format: int64
             * @description Bytes of the offloadable messages.
             * @example 2040109465
             */
            bytes: number | null;
            /**
             * @description Days after which Gmail empties its trash: the space is free then. IMAP servers empty theirs as they are set up.
             * @example 30
             */
            spaceFreedAfterDays: number;
            /**
             * @description Offloadable messages whose copies are encrypted: `strict` needs the passphrase for them.
             * @example 0
             */
            encrypted: number | null;
            /** @example 0 */
            starred: number | null;
            /** @example 0 */
            important: number | null;
            /**
             * Format: date-time
             * @description Date of the oldest offloadable message.
             * @example 2025-11-21T09:30:00.000Z
             */
            oldest: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            newest: string | null;
            /** @description The first offloadable messages; empty in lists. */
            sample: components["schemas"]["OffloadMessageResponse"][];
            /**
             * @description Quota units that moving the messages takes at most.
             * @example 96000
             */
            units: number | null;
            /**
             * @description Minutes that this takes by the provider's quota.
             * @example 16
             */
            minutes: number | null;
            /**
             * @description SHA-256 over lines `messageId sha256 size` of the offloadable messages.
             * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
             */
            digest: string | null;
            /**
             * Format: date-time
             * @description Until then it can be confirmed.
             * @example 2025-11-21T09:30:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The job that makes the plan.
             * @example plan_offload-42
             */
            planJobId: string | null;
            /**
             * @description The job that moves the messages.
             * @example offload_messages-43
             */
            jobId: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            endedAt: string | null;
        };
        OffloadPlansResponse: {
            items: components["schemas"]["OffloadPlanResponse"][];
            /**
             * Format: uuid
             * @description `after` of the next page; null: there is none.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            next: string | null;
        };
        OffloadMessagesResponse: {
            items: components["schemas"]["OffloadMessageResponse"][];
            /**
             * @description `after` of the next page; null: there is none.
             * @example 49
             */
            next: number | null;
        };
        ConfirmOffloadPlanDto: {
            /**
             * @description The plan's `digest`, as a person has seen it.
             * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
             */
            digest: string;
            /**
             * @description The plan's `offloadable`, as a person has seen it.
             * @example 4780
             */
            count: number;
        };
        OffloadStartedResponse: {
            /**
             * @description The job that moves the messages.
             * @example offload_messages-43
             */
            jobId: string;
        };
        ListedReceiptResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            planId: string;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description The signed text itself: JSON.
             * @example {\format\:\mailroom-offload-receipt-1\}
             */
            statement: string;
            /**
             * @description Ed25519, base64.
             * @example 4J8C0vC3Zy1mQ0Z6c3R1dnd4eXo=
             */
            signature: string;
            /**
             * @description The key that it was signed with, see `/api/offload/keys`.
             * @example 6f1ed002ab5595859014ebf0951522d9
             */
            keyId: string;
        };
        OffloadReceiptsResponse: {
            items: components["schemas"]["ListedReceiptResponse"][];
            /**
             * Format: uuid
             * @description `after` of the next page; null: there is none.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            next: string | null;
        };
        OffloadReceiptResponse: {
            /**
             * @description The signed text itself: JSON.
             * @example {\format\:\mailroom-offload-receipt-1\}
             */
            statement: string;
            /**
             * @description Ed25519, base64.
             * @example 4J8C0vC3Zy1mQ0Z6c3R1dnd4eXo=
             */
            signature: string;
            /**
             * @description The key that it was signed with, see `/api/offload/keys`.
             * @example 6f1ed002ab5595859014ebf0951522d9
             */
            keyId: string;
        };
        OffloadScheduleResponse: {
            select: components["schemas"]["OffloadSelectionDto"];
            /** @example strict */
            mode: components["schemas"]["OffloadMode"];
            /** @example 90 */
            graceDays: number;
            /** @example 1000 */
            maxPerNight: number;
            /**
             * Format: date-time
             * @example 2025-11-21T09:30:00.000Z
             */
            updatedAt: string;
            /** @example true */
            isActive: boolean;
        };
        SetOffloadScheduleDto: {
            select: components["schemas"]["OffloadSelectionDto"];
            /**
             * @description `strict` fetches each message again and compares it with its copy; `fast` only reads the copy, and trusts the hash of its arrival.
             * @default strict
             * @example strict
             */
            mode?: components["schemas"]["OffloadMode"];
            /**
             * @description Messages that arrived within so many days stay.
             * @example 90
             */
            graceDays: number;
            /**
             * @description A night that would move more messages moves none: its plan waits for a person.
             * @example 1000
             */
            maxPerNight: number;
            /**
             * @description An inactive schedule plans nothing.
             * @example true
             */
            isActive: boolean;
        };
        NewsletterScanResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example scan_unsubscribe-42
             */
            jobId: string;
            /**
             * @description Text for people.
             * @example Newsletter scan started
             */
            message: string;
        };
        NewsletterResponse: {
            /**
             * @description Messages with a List-Unsubscribe header.
             * @example 42
             */
            count: number;
            /**
             * @description Their size.
             * @example 1843200
             */
            totalSizeBytes: number;
            /**
             * @description Unsubscribe address of the newest message, http(s) only. It comes from the sender: this service neither checks nor
             *     calls it.
             * @example https://shop.example/unsubscribe?u=1a2b
             */
            unsubscribeUrl: string | null;
            /**
             * @description Likewise by mail: one recipient, and a subject and a body if the sender wants them.
             * @example mailto:leave@shop.example?subject=unsubscribe
             */
            unsubscribeMailto: string | null;
            /**
             * Format: date-time
             * @description When the newest of them arrived.
             * @example 2026-05-04T09:30:00.000Z
             */
            lastDate: string;
            /**
             * @description Newest display name and address.
             * @example Shop News <news@shop.example>
             */
            sender: string;
            /**
             * @description The address, in lower case; names the newsletter in the other routes.
             * @example news@shop.example
             */
            email: string;
            /**
             * @description Whether a POST of `List-Unsubscribe=One-Click` to `unsubscribeUrl` is all it takes (RFC 8058).
             * @example true
             */
            oneClick: boolean;
        };
        NewsletterMessagesResponse: {
            /**
             * @description Number of messages.
             * @example 42
             */
            count: number;
            /**
             * @description Starred messages among them.
             * @example 1
             */
            starredCount: number;
            /**
             * @description Messages among them that are marked important.
             * @example 0
             */
            importantCount: number;
            /**
             * @description Newest first.
             * @example [
             *       "1932c5e7d5b7c3a9"
             *     ]
             */
            messageIds: string[];
        };
        DeleteNewslettersDto: {
            /**
             * @description `false` moves the messages to the trash, where they can be restored for 30 days; `true` deletes them
             *     permanently.
             * @default false
             * @example false
             */
            permanent?: boolean;
        };
        NewsletterDeletionResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`; null when there is nothing to delete.
             * @example bulk_operation-42
             */
            jobId: string | null;
            /**
             * @description Messages to trash or delete.
             * @example 42
             */
            count: number;
            /**
             * @description Starred messages among them; they are deleted like the others.
             * @example 1
             */
            starredCount: number;
            /**
             * @description Messages among them that are marked important; they are deleted like the others.
             * @example 0
             */
            importantCount: number;
        };
        SenderCountResponse: {
            /**
             * @description Messages in the sample.
             * @example 42
             */
            count: number;
            /**
             * @description Their size in bytes.
             * @example 1804211
             */
            sizeBytes: number;
            /**
             * @description Name and address, grouped by address; the name is the newest one.
             * @example Grace Hopper <grace@example.org>
             */
            sender: string;
        };
        BigMailResponse: {
            /**
             * @description Approximate size of the whole message in bytes.
             * @example 18804211
             */
            sizeEstimate: number;
            /**
             * Format: date-time
             * @description When the provider received it.
             * @example 2025-11-21T08:13:52.000Z
             */
            date: string;
            /**
             * @description The provider's id of the message.
             * @example 1932c5e7d5b7c3a9
             */
            id: string;
            /**
             * @description Subject header, decoded.
             * @example Photos of the weekend
             */
            subject: string;
            /**
             * @description From header, decoded.
             * @example Grace Hopper <grace@example.org>
             */
            from: string;
        };
        LabelCountResponse: {
            /**
             * @description Messages in the sample that carry it.
             * @example 310
             */
            count: number;
            /**
             * @description Name of a user label, id of a system label.
             * @example INBOX
             */
            label: string;
        };
        MonthCountResponse: {
            /**
             * @description Messages of the sample received in it.
             * @example 64
             */
            count: number;
            /**
             * @description YYYY-MM
             * @example 2025-11
             */
            month: string;
        };
        DashboardProfileResponse: {
            /**
             * @description Messages in the whole mailbox.
             * @example 48211
             */
            messagesTotal: number;
            /**
             * @description Address of the mailbox.
             * @example ada@example.org
             */
            emailAddress: string;
        };
        StatsCoverageResponse: {
            /**
             * @description Messages that are indexed, without spam and trash.
             * @example 12400
             */
            indexed: number;
            /**
             * @description Messages of the whole mailbox: the same number once `complete`, until then as the provider counts them.
             * @example 48211
             */
            total: number;
            /**
             * @description Whether that is the whole mailbox; the rest is being indexed otherwise.
             * @example false
             */
            complete: boolean;
        };
        MailboxStatsResponse: {
            /**
             * @description Messages the figures are from: the sample.
             * @example 500
             */
            totalMessages: number;
            /**
             * @description Unread messages among them.
             * @example 61
             */
            unreadCount: number;
            /**
             * @description Their size in bytes.
             * @example 48211377
             */
            totalSizeBytes: number;
            /** @description Senders of the most messages, without the account itself. */
            bySender: components["schemas"]["SenderCountResponse"][];
            /** @description Largest first. */
            biggestMails: components["schemas"]["BigMailResponse"][];
            /** @description All labels in the sample, the most frequent first. */
            byLabel: components["schemas"]["LabelCountResponse"][];
            /** @description All months from the oldest to the newest message of the sample, ascending. */
            timeline: components["schemas"]["MonthCountResponse"][];
            profile: components["schemas"]["DashboardProfileResponse"];
            /** @description With `scope=all`: how much of the mailbox the figures cover. */
            coverage?: components["schemas"]["StatsCoverageResponse"];
        };
        ArchivedSenderResponse: {
            /**
             * @description Name and address, grouped by address.
             * @example Grace Hopper <grace@example.org>
             */
            sender: string;
            /**
             * @description Archived mails, as a numeric string.
             * @example 1204
             */
            count: string;
            /**
             * @description Their size in bytes, as a numeric string.
             * @example 88104221
             */
            total_size: string;
        };
        ArchiveStatsResponse: {
            /**
             * @description Archived mails.
             * @example 48211
             */
            total_mails: number;
            /**
             * @description Their size in bytes.
             * @example 2104882113
             */
            total_size: number;
            /**
             * Format: date-time
             * @description When a mail was last archived; null while the archive is empty.
             * @example 2025-11-21T08:13:52.000Z
             */
            last_archived_at: string | null;
            /** @description The 20 senders with the most mails, without the account itself. */
            bySender: components["schemas"]["ArchivedSenderResponse"][];
        };
        DismissedResponse: {
            /**
             * @description Always true.
             * @example true
             */
            ok: boolean;
        };
        HeatmapCellResponse: {
            /**
             * @description Day of the week, 0 = Monday to 6 = Sunday.
             * @example 0
             */
            day: number;
            /**
             * @description Hour of the day.
             * @example 9
             */
            hour: number;
            /**
             * @description Messages that arrived in it.
             * @example 12
             */
            count: number;
        };
        SenderScoreResponse: {
            /**
             * @description Newest display name and address.
             * @example Shop News <news@shop.example>
             */
            sender: string;
            /**
             * @description Mails from this sender.
             * @example 64
             */
            emailCount: number;
            /**
             * @description Bytes of all of them.
             * @example 7340032
             */
            totalSizeBytes: number;
            /**
             * @description Unread messages among them.
             * @example 60
             */
            unreadCount: number;
            /**
             * Format: double
             * @description Share of mails that have been read, 0 to 1.
             * @example 0.0625
             */
            readRate: number;
            /**
             * @description 0 to 100, 100 = most cluttered.
             * @example 77
             */
            clutterScore: number;
            /**
             * @description Whether there is a List-Unsubscribe header, or mail in the promotions category.
             * @example true
             */
            hasUnsubscribe: boolean;
        };
        /**
         * @description Why it is suggested.
         * @enum {string}
         */
        SuggestionType: "bulk_unread" | "large_sender" | "old_newsletters" | "duplicate_pattern";
        SuggestionResponse: {
            /**
             * Format: uuid
             * @description Stays the same when suggestions are computed again.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * @description Why it is suggested.
             * @example bulk_unread
             */
            type: components["schemas"]["SuggestionType"];
            /**
             * @description In one line.
             * @example 60 unread mails from Shop News
             */
            title: string;
            /**
             * @description In one sentence.
             * @example 60 of 64 mails from this sender are unread.
             */
            description: string;
            /**
             * @description Name and address.
             * @example Shop News <news@shop.example>
             */
            sender: string;
            /**
             * @description Mails that the query selects.
             * @example 60
             */
            emailCount: number;
            /**
             * @description Bytes of all of them.
             * @example 7340032
             */
            totalSizeBytes: number;
            /**
             * @description Native query that selects them.
             * @example from:(news@shop.example) is:unread
             */
            query: string;
            /**
             * @description Whether the user has dismissed it; dismissed ones are not listed.
             * @example false
             */
            isDismissed: boolean;
        };
        InboxCountsResponse: {
            /**
             * @description Messages in the inbox.
             * @example 42
             */
            inboxCount: number;
            /**
             * @description Unread messages among them.
             * @example 7
             */
            unreadCount: number;
        };
        InboxDayResponse: {
            /**
             * @description Messages in the inbox.
             * @example 42
             */
            inboxCount: number;
            /**
             * @description Unread messages among them.
             * @example 7
             */
            unreadCount: number;
            /**
             * Format: date
             * @description Day in UTC.
             * @example 2026-03-09
             */
            date: string;
        };
        InboxZeroResponse: {
            /**
             * @description Consecutive days with an empty inbox, up to today or yesterday.
             * @example 3
             */
            streak: number;
            /**
             * @description The longest streak so far.
             * @example 12
             */
            bestStreak: number;
            /** @description Now, at most 15 minutes old. */
            current: components["schemas"]["InboxCountsResponse"];
            /** @description The lowest counts of each of the last 30 days, ascending; days without a snapshot are missing. */
            history: components["schemas"]["InboxDayResponse"][];
        };
        ArchivedAttachmentResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            id: string;
            /**
             * @description Size of the decoded content.
             * @example 30211
             */
            size_bytes: number;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            mail_date: string;
            /**
             * Format: uuid
             * @description The mail's id in the archive.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            archived_mail_id: string;
            /** @example Annual report */
            mail_subject: string;
            /** @example Alice Example <alice@example.com> */
            mail_sender: string;
            /**
             * @description The mail provider's id of the mail; of an imported mail its Message-ID, with `#2`, `#3` … for further mails of that
             *     id, or `sha256:<hex>`.
             * @example 18c2f1a9b3d4e5f6
             */
            mailbox_message_id: string;
            /**
             * @description Its location: key of the EML in its store, part and name. There is no second copy.
             * @example <userId>/<accountId>/2024/02/<mailId>.eml#2/report.pdf
             */
            file_path: string;
            /** @example report.pdf */
            filename: string;
            /** @example application/pdf */
            mime_type: string;
        };
        ArchivedAttachmentPageResponse: {
            /**
             * @description Exact number of attachments that match.
             * @example 1234
             */
            total: number;
            /**
             * @description Sum of the sizes of all of them, not only of this page.
             * @example 48211377
             */
            totalSizeBytes: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit used.
             * @example 50
             */
            limit: number;
            attachments: components["schemas"]["ArchivedAttachmentResponse"][];
        };
        LiveAttachmentResponse: {
            /**
             * @description Size of the decoded content in bytes.
             * @example 302113
             */
            sizeBytes: number;
            /**
             * Format: date-time
             * @description When the provider received the message.
             * @example 2025-11-21T08:13:52.000Z
             */
            mailDate: string;
            /**
             * @description Approximate size of the whole message in bytes.
             * @example 418804
             */
            mailSizeEstimate: number;
            /**
             * @description The provider's id of the message.
             * @example 1932c5e7d5b7c3a9
             */
            messageId: string;
            /**
             * @description The provider's id of the part: `messages/:messageId/attachments/:partId` of the mailbox downloads it.
             * @example 1
             */
            partId: string;
            /** @example report.pdf */
            filename: string;
            /** @example application/pdf */
            mimeType: string;
            /**
             * @description Subject header, decoded.
             * @example Annual report
             */
            mailSubject: string;
            /**
             * @description From header, decoded.
             * @example Grace Hopper <grace@example.org>
             */
            mailSender: string;
        };
        LiveAttachmentsResponse: {
            /**
             * @description Sum of their sizes.
             * @example 48211377
             */
            totalSizeBytes: number;
            /** @description Files above 100 KB, largest first. Images shown in the text are not listed. */
            attachments: components["schemas"]["LiveAttachmentResponse"][];
        };
        TrackedDomainResponse: {
            /**
             * @description Trackers of that host.
             * @example 42
             */
            count: number;
            /**
             * @description Host in lower case.
             * @example shop.us1.list-manage.com
             */
            domain: string;
        };
        TrackingStatsResponse: {
            /**
             * @description Messages with at least one tracker.
             * @example 128
             */
            trackedMessages: number;
            /**
             * @description Trackers in them.
             * @example 310
             */
            totalTrackers: number;
            /** @description The ten hosts with the most trackers. */
            topDomains: components["schemas"]["TrackedDomainResponse"][];
        };
        TrackerResponse: {
            /**
             * @description `pixel`: an image that reports that the message was opened; `utm`: links with campaign or reader
             *     parameters.
             * @example pixel
             * @enum {string}
             */
            type: "pixel" | "utm";
            /**
             * @description Of a pixel: its address, at most 2,048 characters. Never fetched by this service. Missing when the archived
             *     copy of the message is encrypted.
             * @example https://shop.us1.list-manage.com/track/open.php?u=4c77&id=a1&e=9
             */
            url?: string;
            /**
             * @description Of links: names of their parameters. Missing when the archived copy of the message is encrypted.
             * @example [
             *       "utm_source",
             *       "utm_medium",
             *       "mc_eid"
             *     ]
             */
            params?: string[];
            /**
             * @description Host the image would be loaded from, or the links lead to; in lower case.
             * @example shop.us1.list-manage.com
             */
            domain: string;
        };
        TrackingItemResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9b2f-0d6f0e2a4b11
             */
            id: string;
            /**
             * Format: date-time
             * @description When the message arrived.
             * @example 2026-05-04T09:30:00.000Z
             */
            date: string;
            /**
             * @description How many.
             * @example 2
             */
            tracker_count: number;
            /**
             * Format: date-time
             * @description When a scan last covered the message.
             * @example 2026-05-04T10:00:00.000Z
             */
            scanned_at: string;
            /** @example 1932c5e7d5b7c3a9 */
            mailbox_message_id: string;
            /** @example Our best deals */
            subject: string;
            /** @example Shop News <news@shop.example> */
            sender: string;
            /** @description One for each platform (or host, where the platform is not known) and one for each host of links. */
            trackers: components["schemas"]["TrackerResponse"][];
        };
        TrackingPageResponse: {
            /**
             * @description Messages with trackers.
             * @example 128
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit that was used.
             * @example 50
             */
            limit: number;
            /** @description Newest message first. */
            items: components["schemas"]["TrackingItemResponse"][];
        };
        StartTrackingScanDto: {
            /**
             * @description Scan this many of the newest messages, without spam and trash.
             * @default 500
             * @example 1000
             */
            maxMessages?: number;
        };
        TrackingScanResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example scan_tracking-42
             */
            jobId: string;
            /**
             * @description For people.
             * @example Tracking scan started
             */
            message: string;
        };
        PiiTypeCountResponse: {
            /**
             * @example iban
             * @enum {string}
             */
            type: "credit_card" | "iban" | "french_ssn" | "password_plain" | "phone_fr";
            /**
             * @description Different values, added up over the mails.
             * @example 12
             */
            count: number;
        };
        PiiStatsResponse: {
            /**
             * @description Different values in each mail, added up over all mails.
             * @example 42
             */
            totalFindings: number;
            /**
             * @description Mails in which anything was found.
             * @example 17
             */
            affectedMails: number;
            /** @description Every type; types without findings have 0. */
            byType: components["schemas"]["PiiTypeCountResponse"][];
        };
        PiiFindingResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f
             */
            id: string;
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            archived_mail_id: string;
            /**
             * @example credit_card
             * @enum {string}
             */
            pii_type: "credit_card" | "iban" | "french_ssn" | "password_plain" | "phone_fr";
            /**
             * @description Different values of this type in the mail.
             * @example 1
             */
            count: number;
            /**
             * Format: date-time
             * @example 2024-03-01T08:00:00.000Z
             */
            scanned_at: string;
            /**
             * Format: date-time
             * @description When the provider received the mail.
             * @example 2024-02-29T12:34:56.000Z
             */
            date: string;
            /**
             * @description The first value, masked: a card shows its last four digits, an IBAN its country and check digits.
             * @example **** **** **** 4242
             */
            snippet: string;
            /**
             * @description Subject of the mail.
             * @example Card for the booking
             */
            subject: string;
            /** @example Alice Example <alice@example.com> */
            sender: string;
        };
        PiiFindingPageResponse: {
            /**
             * @description Exact number of findings that match.
             * @example 17
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The limit used.
             * @example 50
             */
            limit: number;
            /** @description Newest mail first. */
            items: components["schemas"]["PiiFindingResponse"][];
        };
        PiiScanResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example scan_pii-42
             */
            jobId: string;
            /** @example Scan for personal data started */
            message: string;
        };
        SetUpEncryptionDto: {
            /**
             * @description 8 to 1,024 characters, any of them; spaces count. It cannot be changed, and mail cannot be read without it.
             * @example correct horse battery staple
             */
            passphrase: string;
        };
        EncryptionSetUpResponse: {
            /** @example true */
            ok: boolean;
        };
        PassphraseDto: {
            /**
             * @description The passphrase of the caller.
             * @example correct horse battery staple
             */
            passphrase: string;
        };
        PassphraseCheckResponse: {
            /**
             * @description Whether it is the passphrase of the caller.
             * @example true
             */
            valid: boolean;
        };
        EncryptionStatusResponse: {
            /**
             * @description Archived mails of the account.
             * @example 1200
             */
            total: number;
            /** @example 300 */
            encrypted: number;
            /** @example 900 */
            unencrypted: number;
            /**
             * Format: double
             * @description Of the mails that are encrypted, to two decimals; 100 only when all are, 0 for an empty archive.
             * @example 25
             */
            percentage: number;
            /**
             * @description Whether the caller has set up a passphrase.
             * @example true
             */
            hasEncryptionKey: boolean;
        };
        DecryptMailDto: {
            /**
             * @description The passphrase of the caller.
             * @example correct horse battery staple
             */
            passphrase: string;
            /**
             * Format: uuid
             * @description An encrypted mail of the account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailId: string;
        };
        DecryptedMailResponse: {
            /**
             * @description The message: UTF-8 if it is valid UTF-8, else Latin-1.
             * @example Subject: Hello\r\n\r\nHello Ada
             */
            content: string;
        };
        EncryptionJobResponse: {
            /**
             * @description Follow it at `/api/jobs/{jobId}`.
             * @example encrypt_archives-42
             */
            jobId: string;
            /**
             * @description For people.
             * @example The archive is being encrypted.
             */
            message: string;
        };
        RemovedTrackerResponse: {
            /**
             * @description `pixel`: an image that is loaded when the mail is opened; `utm`: parameters of links.
             * @example pixel
             * @enum {string}
             */
            type: "pixel" | "utm";
            /**
             * @description Host it would have been loaded from, or that the links lead to.
             * @example list-manage.com
             */
            domain: string;
            /**
             * @description Of a pixel: its address. It is never fetched.
             * @example https://list-manage.com/track/open.php?u=1
             */
            url?: string;
            /**
             * @description Of links: names of the parameters that were removed.
             * @example [
             *       "utm_source",
             *       "mc_eid"
             *     ]
             */
            params?: string[];
        };
        SafeHtmlResponse: {
            /**
             * @description Trackers that were removed: pixels once per platform, link parameters once per host.
             * @example 2
             */
            trackersRemoved: number;
            /**
             * @description Removed references to remote content, not counting trackers.
             * @example 5
             */
            remoteContentBlocked: number;
            /**
             * @description Inline images of the mail that are shown.
             * @example 1
             */
            inlineImages: number;
            /**
             * @description Remote images that could be loaded, at most 50: each address once, trackers left out. They are part of
             *     `remoteContentBlocked`.
             * @example 3
             */
            remoteImages: number;
            /** @description The trackers that were removed. */
            trackers: components["schemas"]["RemovedTrackerResponse"][];
            /**
             * @description A whole HTML document, for the `srcdoc` of a sandboxed frame: `sandbox="allow-popups
             *     allow-popups-to-escape-sandbox"`.
             * @example <!DOCTYPE html><html>…</html>
             */
            html: string;
            /**
             * @description Whether the mail is too large to be shown whole.
             * @example false
             */
            truncated: boolean;
            /**
             * @description The hosts that would learn of it.
             * @example [
             *       "cdn.shop.example"
             *     ]
             */
            remoteImageHosts: string[];
        };
        SafeHtmlWithImagesResponse: {
            /**
             * @description Trackers that were removed: pixels once per platform, link parameters once per host.
             * @example 2
             */
            trackersRemoved: number;
            /**
             * @description Removed references to remote content, not counting trackers.
             * @example 5
             */
            remoteContentBlocked: number;
            /**
             * @description Inline images of the mail that are shown.
             * @example 1
             */
            inlineImages: number;
            /**
             * @description Remote images that could be loaded, at most 50: each address once, trackers left out. They are part of
             *     `remoteContentBlocked`.
             * @example 3
             */
            remoteImages: number;
            /** @description The trackers that were removed. */
            trackers: components["schemas"]["RemovedTrackerResponse"][];
            /**
             * @description Remote images that are in the document.
             * @example 2
             */
            remoteImagesShown: number;
            /**
             * @description Those that were not: out of bounds, too large, too slow, no image, or away.
             * @example 1
             */
            remoteImagesFailed: number;
            /**
             * @description A whole HTML document, for the `srcdoc` of a sandboxed frame: `sandbox="allow-popups
             *     allow-popups-to-escape-sandbox"`.
             * @example <!DOCTYPE html><html>…</html>
             */
            html: string;
            /**
             * @description Whether the mail is too large to be shown whole.
             * @example false
             */
            truncated: boolean;
            /**
             * @description The hosts that would learn of it.
             * @example [
             *       "cdn.shop.example"
             *     ]
             */
            remoteImageHosts: string[];
        };
        MessageAttachmentResponse: {
            /**
             * @description Decoded.
             * @example 48213
             */
            size_bytes: number;
            /**
             * @description For its download.
             * @example 2
             */
            partId: string;
            /** @example invoice.pdf */
            filename: string;
            /** @example application/pdf */
            mime_type: string;
        };
        LiveSafeHtmlResponse: {
            /**
             * @description Trackers that were removed: pixels once per platform, link parameters once per host.
             * @example 2
             */
            trackersRemoved: number;
            /**
             * @description Removed references to remote content, not counting trackers.
             * @example 5
             */
            remoteContentBlocked: number;
            /**
             * @description Inline images of the mail that are shown.
             * @example 1
             */
            inlineImages: number;
            /**
             * @description Remote images that could be loaded, at most 50: each address once, trackers left out. They are part of
             *     `remoteContentBlocked`.
             * @example 3
             */
            remoteImages: number;
            /** @description The trackers that were removed. */
            trackers: components["schemas"]["RemovedTrackerResponse"][];
            /** @description Its files, without images that are shown in the text. */
            attachments: components["schemas"]["MessageAttachmentResponse"][];
            /**
             * @description A whole HTML document, for the `srcdoc` of a sandboxed frame: `sandbox="allow-popups
             *     allow-popups-to-escape-sandbox"`.
             * @example <!DOCTYPE html><html>…</html>
             */
            html: string;
            /**
             * @description Whether the mail is too large to be shown whole.
             * @example false
             */
            truncated: boolean;
            /**
             * @description The hosts that would learn of it.
             * @example [
             *       "cdn.shop.example"
             *     ]
             */
            remoteImageHosts: string[];
        };
        EndpointUsageResponse: {
            /**
             * @description Quota units, as Gmail charges them; of IMAP, one for each command unless the installation lets some cost more.
             * @example 4250
             */
            units: number;
            /**
             * @description Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
             * @example 850
             */
            calls: number;
            /**
             * @description The provider's method; of IMAP the command, e.g. `FETCH`.
             * @example messages.get
             */
            endpoint: string;
        };
        HourUsageResponse: {
            /**
             * @description Quota units, as Gmail charges them; of IMAP, one for each command unless the installation lets some cost more.
             * @example 4250
             */
            units: number;
            /**
             * @description Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
             * @example 850
             */
            calls: number;
            /**
             * Format: date-time
             * @description When the hour began, on the clock, UTC.
             * @example 2025-11-21T09:00:00.000Z
             */
            hour: string;
        };
        QuotaLimitsResponse: {
            /**
             * @description Quota units of Gmail; commands of IMAP, unless the installation lets some cost more.
             * @example 250
             */
            perSecond: number;
            /**
             * @description Likewise.
             * @example 15000
             */
            perMinute: number;
            /**
             * Format: int64
             * @description Bytes that may be read in 24 hours; jobs wait from 80 % on. null: no limit is known, or bytes are not counted.
             * @example 2500000000
             */
            receivedBytesPerDay: number | null;
            /**
             * Format: int64
             * @description Bytes that may be sent, likewise.
             * @example 500000000
             */
            sentBytesPerDay: number | null;
        };
        LastMinuteResponse: {
            /**
             * @description Quota units, as Gmail charges them; of IMAP, one for each command unless the installation lets some cost more.
             * @example 4250
             */
            units: number;
            /**
             * @description Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
             * @example 850
             */
            calls: number;
            /**
             * Format: double
             * @description Of the limit per minute, to one decimal.
             * @example 28.3
             */
            percentOfLimit: number;
        };
        SpentQuotaResponse: {
            /**
             * @description Quota units, as Gmail charges them; of IMAP, one for each command unless the installation lets some cost more.
             * @example 4250
             */
            units: number;
            /**
             * @description Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
             * @example 850
             */
            calls: number;
        };
        LastDayResponse: {
            /**
             * @description Quota units, as Gmail charges them; of IMAP, one for each command unless the installation lets some cost more.
             * @example 4250
             */
            units: number;
            /**
             * @description Calls, as the provider counts them: each part of a batch, and each command of IMAP, is one.
             * @example 850
             */
            calls: number;
            /**
             * Format: int64
             * @description Bytes read from the server; null where they are not counted, as with the Gmail API.
             * @example 73400320
             */
            receivedBytes: number | null;
            /**
             * Format: int64
             * @description Bytes sent, likewise.
             * @example 1048576
             */
            sentBytes: number | null;
        };
        QuotaUsageResponse: {
            /** @description The last 60 seconds. */
            lastMinute: components["schemas"]["LastMinuteResponse"];
            /** @description The last 60 minutes. */
            lastHour: components["schemas"]["SpentQuotaResponse"];
            /** @description The last 24 hours. */
            last24h: components["schemas"]["LastDayResponse"];
        };
        QuotaResponse: {
            /** @description The most expensive methods of the last 24 hours, in descending order. */
            topEndpoints: components["schemas"]["EndpointUsageResponse"][];
            /**
             * @description The last 24 clock hours, oldest first; including hours without use.
             * @example [
             *       {
             *         "hour": "2026-05-04T00:00:00.000Z",
             *         "units": 0,
             *         "calls": 0
             *       },
             *       {
             *         "hour": "2026-05-04T01:00:00.000Z",
             *         "units": 1825,
             *         "calls": 365
             *       },
             *       {
             *         "hour": "2026-05-04T02:00:00.000Z",
             *         "units": 3650,
             *         "calls": 730
             *       },
             *       {
             *         "hour": "2026-05-04T03:00:00.000Z",
             *         "units": 5475,
             *         "calls": 1095
             *       },
             *       {
             *         "hour": "2026-05-04T04:00:00.000Z",
             *         "units": 7300,
             *         "calls": 1460
             *       },
             *       {
             *         "hour": "2026-05-04T05:00:00.000Z",
             *         "units": 0,
             *         "calls": 0
             *       },
             *       {
             *         "hour": "2026-05-04T06:00:00.000Z",
             *         "units": 1825,
             *         "calls": 365
             *       },
             *       {
             *         "hour": "2026-05-04T07:00:00.000Z",
             *         "units": 3650,
             *         "calls": 730
             *       },
             *       {
             *         "hour": "2026-05-04T08:00:00.000Z",
             *         "units": 5475,
             *         "calls": 1095
             *       },
             *       {
             *         "hour": "2026-05-04T09:00:00.000Z",
             *         "units": 7300,
             *         "calls": 1460
             *       },
             *       {
             *         "hour": "2026-05-04T10:00:00.000Z",
             *         "units": 0,
             *         "calls": 0
             *       },
             *       {
             *         "hour": "2026-05-04T11:00:00.000Z",
             *         "units": 1825,
             *         "calls": 365
             *       },
             *       {
             *         "hour": "2026-05-04T12:00:00.000Z",
             *         "units": 3650,
             *         "calls": 730
             *       },
             *       {
             *         "hour": "2026-05-04T13:00:00.000Z",
             *         "units": 5475,
             *         "calls": 1095
             *       },
             *       {
             *         "hour": "2026-05-04T14:00:00.000Z",
             *         "units": 7300,
             *         "calls": 1460
             *       },
             *       {
             *         "hour": "2026-05-04T15:00:00.000Z",
             *         "units": 0,
             *         "calls": 0
             *       },
             *       {
             *         "hour": "2026-05-04T16:00:00.000Z",
             *         "units": 1825,
             *         "calls": 365
             *       },
             *       {
             *         "hour": "2026-05-04T17:00:00.000Z",
             *         "units": 3650,
             *         "calls": 730
             *       },
             *       {
             *         "hour": "2026-05-04T18:00:00.000Z",
             *         "units": 5475,
             *         "calls": 1095
             *       },
             *       {
             *         "hour": "2026-05-04T19:00:00.000Z",
             *         "units": 7300,
             *         "calls": 1460
             *       },
             *       {
             *         "hour": "2026-05-04T20:00:00.000Z",
             *         "units": 0,
             *         "calls": 0
             *       },
             *       {
             *         "hour": "2026-05-04T21:00:00.000Z",
             *         "units": 1825,
             *         "calls": 365
             *       },
             *       {
             *         "hour": "2026-05-04T22:00:00.000Z",
             *         "units": 3650,
             *         "calls": 730
             *       },
             *       {
             *         "hour": "2026-05-04T23:00:00.000Z",
             *         "units": 5475,
             *         "calls": 1095
             *       }
             *     ]
             */
            hourlyBreakdown: components["schemas"]["HourUsageResponse"][];
            limits: components["schemas"]["QuotaLimitsResponse"];
            usage: components["schemas"]["QuotaUsageResponse"];
        };
        QuotaCleanupResponse: {
            /**
             * @description Deleted records.
             * @example 18250
             */
            deleted: number;
        };
        PreferencesResponse: {
            /**
             * @description Notifications with the weekly report.
             * @example true
             */
            weekly_report: boolean;
            /**
             * @description A toast for the weekly report.
             * @example false
             */
            weekly_report_toast: boolean;
            /**
             * @description Notifications of completed jobs.
             * @example true
             */
            job_completed: boolean;
            /**
             * @description A toast for completed jobs.
             * @example true
             */
            job_completed_toast: boolean;
            /**
             * @description Notifications of failed jobs.
             * @example true
             */
            job_failed: boolean;
            /**
             * @description A toast for failed jobs.
             * @example true
             */
            job_failed_toast: boolean;
            /**
             * @description Notifications of executed rules.
             * @example false
             */
            rule_executed: boolean;
            /**
             * @description A toast for executed rules.
             * @example false
             */
            rule_executed_toast: boolean;
            /**
             * @description Notifications of storage that runs out.
             * @example true
             */
            quota_warning: boolean;
            /**
             * @description A toast for storage that runs out.
             * @example false
             */
            quota_warning_toast: boolean;
            /**
             * @description Notifications of archived mails found missing or altered.
             * @example true
             */
            integrity_alert: boolean;
            /**
             * @description A toast for archived mails found missing or altered.
             * @example false
             */
            integrity_alert_toast: boolean;
        };
        ChangePreferencesDto: {
            /**
             * @description Notifications with the weekly report.
             * @example true
             */
            weekly_report?: boolean;
            /**
             * @description A toast for the weekly report.
             * @example false
             */
            weekly_report_toast?: boolean;
            /**
             * @description Notifications of completed jobs.
             * @example true
             */
            job_completed?: boolean;
            /**
             * @description A toast for completed jobs.
             * @example true
             */
            job_completed_toast?: boolean;
            /**
             * @description Notifications of failed jobs.
             * @example true
             */
            job_failed?: boolean;
            /**
             * @description A toast for failed jobs.
             * @example true
             */
            job_failed_toast?: boolean;
            /**
             * @description Notifications of executed rules.
             * @example false
             */
            rule_executed?: boolean;
            /**
             * @description A toast for executed rules.
             * @example false
             */
            rule_executed_toast?: boolean;
            /**
             * @description Notifications of storage that runs out.
             * @example true
             */
            quota_warning?: boolean;
            /**
             * @description A toast for storage that runs out.
             * @example false
             */
            quota_warning_toast?: boolean;
            /**
             * @description Notifications of archived mails found missing or altered.
             * @example true
             */
            integrity_alert?: boolean;
            /**
             * @description A toast for archived mails found missing or altered.
             * @example false
             */
            integrity_alert_toast?: boolean;
        };
        NotificationsOkResponse: {
            /** @example true */
            ok: boolean;
        };
        NotificationResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            user_id: string;
            /** @example job_completed */
            type: components["schemas"]["NotificationType"];
            /**
             * @description The `data` of the event, for programs.
             * @example {
             *       "jobId": "bulk_operation-42",
             *       "type": "bulk_operation",
             *       "status": "completed"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Plain text.
             * @example Bulk operation completed
             */
            title: string;
            /**
             * @description Plain text.
             * @example 1,234 messages were processed.
             */
            body: string;
            /** @example false */
            is_read: boolean;
        };
        NotificationPageResponse: {
            /**
             * @description All unread notifications of the caller, on every page.
             * @example 3
             */
            unreadCount: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 20
             */
            limit: number;
            /** @description Newest first. */
            notifications: components["schemas"]["NotificationResponse"][];
        };
        NotificationsReadResponse: {
            /**
             * @description How many notifications were unread.
             * @example 3
             */
            updated: number;
        };
        NotificationReadResponse: {
            /** @example true */
            success: boolean;
        };
        /** @enum {string} */
        WebhookType: "generic" | "embedchat" | "blockchat" | "pushnotify";
        /** @enum {string} */
        WebhookEvent: "job.completed" | "job.failed" | "rule.executed" | "quota.warning" | "integrity.failed" | "archiving.unhealthy" | "archiving.recovered";
        WebhookResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @description Its owner.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            user_id: string;
            /** @example Chat of the team */
            name: string;
            /**
             * @description The address that events are posted to; empty when the service's key can no longer open it.
             * @example https://hooks.example.org/mailroom
             */
            url: string;
            /** @example generic */
            type: components["schemas"]["WebhookType"];
            /**
             * @example [
             *       "job.failed",
             *       "quota.warning"
             *     ]
             */
            events: components["schemas"]["WebhookEvent"][];
            /** @example true */
            is_active: boolean;
            /**
             * @description Key of the signatures; null unless the type is `generic`.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=
             */
            secret: string | null;
            /**
             * Format: date-time
             * @description Time of the last attempt.
             * @example 2026-05-04T09:30:00.000Z
             */
            last_triggered_at: string | null;
            /**
             * @description HTTP status of the last attempt; 0 without an answer, and before the first attempt (null `last_triggered_at`).
             * @example 200
             */
            last_status: number;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Why the service switched it off, for example `gone`; null when it did not.
             * @example null
             */
            disabled_reason: string | null;
        };
        CreateWebhookDto: {
            /**
             * @description Display name, 1–100 characters.
             * @example Chat of the team
             */
            name: string;
            /**
             * Format: uri
             * @description The address that events are posted to: http or https, without user name and password.
             * @example https://hooks.example.org/mailroom
             */
            url: string;
            /**
             * @description The format of the receiver.
             * @default generic
             * @example generic
             */
            type?: components["schemas"]["WebhookType"];
            /**
             * @description The events to deliver; repetitions are ignored.
             * @example [
             *       "job.failed",
             *       "quota.warning"
             *     ]
             */
            events: components["schemas"]["WebhookEvent"][];
        };
        UpdateWebhookDto: {
            /**
             * @description Display name, 1–100 characters.
             * @example Chat of the team
             */
            name?: string;
            /**
             * Format: uri
             * @description The address that events are posted to: http or https, without user name and password.
             * @example https://hooks.example.org/mailroom
             */
            url?: string;
            /**
             * @description The format of the receiver.
             * @example generic
             */
            type?: components["schemas"]["WebhookType"];
            /**
             * @description The events to deliver; repetitions are ignored.
             * @example [
             *       "job.failed",
             *       "quota.warning"
             *     ]
             */
            events?: components["schemas"]["WebhookEvent"][];
        };
        WebhookTestResponse: {
            /**
             * @description Whether the receiver answered with a success status (2xx).
             * @example true
             */
            success: boolean;
        };
        /**
         * @description `pending` until it is delivered, has failed for good, or is cancelled with its webhook.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed" | "cancelled";
        DeliveryAttemptResponse: {
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            at: string;
            /**
             * @description HTTP status of the answer; 0 without an answer.
             * @example 503
             */
            status: number;
            /**
             * @description Why the attempt had no answer, or only a redirect, as a code; null when it was answered.
             * @example null
             */
            error: string | null;
            /**
             * @description Duration in milliseconds.
             * @example 120
             */
            duration_ms: number;
        };
        DeliveryResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: uuid
             * @description The `id` the receiver sees, the same in every attempt.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            event_id: string;
            /** @example job.failed */
            event: components["schemas"]["WebhookEvent"];
            /**
             * @description The `data` of the event.
             * @example {
             *       "jobId": "bulk_operation-42",
             *       "type": "bulk_operation",
             *       "status": "failed"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description `pending` until it is delivered, has failed for good, or is cancelled with its webhook.
             * @example pending
             */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttemptResponse"][];
            /**
             * Format: date-time
             * @description When the next attempt is due; null once the delivery is over.
             * @example 2026-05-04T09:40:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            completed_at: string | null;
        };
        DeliveryPageResponse: {
            /** @description Newest first. */
            deliveries: components["schemas"]["DeliveryResponse"][];
            /**
             * @description All deliveries of the webhook from the last 30 days, and open ones.
             * @example 42
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 50
             */
            limit: number;
        };
        AdminJobStatsResponse: {
            /**
             * @description Jobs of every status.
             * @example 4200
             */
            total: number;
            /** @example 4100 */
            completed: number;
            /** @example 12 */
            failed: number;
            /**
             * @description Jobs that are running now.
             * @example 3
             */
            active: number;
        };
        AdminArchiveStatsResponse: {
            /** @example 1250000 */
            totalMails: number;
            /**
             * @description Bytes of the EML files.
             * @example 93415268352
             */
            totalSizeBytes: number;
        };
        AdminStatsResponse: {
            /**
             * @description Including inactive users.
             * @example 128
             */
            users: number;
            /**
             * @description Connected mailboxes of all users.
             * @example 240
             */
            mailboxAccounts: number;
            jobs: components["schemas"]["AdminJobStatsResponse"];
            /** @description Including mail of disconnected mailboxes. */
            archives: components["schemas"]["AdminArchiveStatsResponse"];
        };
        AdminJobResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example active */
            status: components["schemas"]["JobStatus"];
            /**
             * @description 0–100: items dealt with, done or failed, of the total.
             * @example 40
             */
            progress: number;
            /**
             * @description Items to process; 0 while unknown.
             * @example 10000
             */
            total: number;
            /**
             * @description Items that were done.
             * @example 4000
             */
            processed: number;
            /**
             * @description Items that failed; `result.failures` names them, each with the reason.
             * @example 0
             */
            failed: number;
            /**
             * Format: uuid
             * @description null for jobs that concern no single account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string | null;
            /**
             * @description Why the job failed, or why somebody other than its owner stopped it, as a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The same as a stable code.
             * @example null
             */
            error_code: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             * @example 2026-05-04T09:30:00.010Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; a cancelled job ends with its current batch.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description The jobId that started it: `<kind>-<number>`.
             * @example bulk_operation-42
             */
            queue_id: string;
            /**
             * @description Kind of the job.
             * @example bulk_operation
             */
            type: string;
            /**
             * Format: email
             * @description E-mail address of the job's owner.
             * @example ada@example.org
             */
            user_email: string;
        };
        AdminJobsResponse: {
            /**
             * @description Matching jobs on all pages.
             * @example 4200
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 50
             */
            limit: number;
            jobs: components["schemas"]["AdminJobResponse"][];
        };
        /** @enum {string} */
        UserRole: "admin" | "user";
        AdminUserResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example user */
            role: components["schemas"]["UserRole"];
            /**
             * @description `ADMIN_EMAIL` names their address, which anybody could have registered: they wait for an administrator, who grants or
             *     refuses the role by setting `role`.
             * @example false
             */
            awaits_admin_role: boolean;
            /**
             * @description Maximum of connected mailboxes.
             * @example 5
             */
            max_mailbox_accounts: number;
            /**
             * @description Maximum bytes of archived mail.
             * @example 5368709120
             */
            storage_quota_bytes: number;
            /**
             * @description Mailboxes that count towards the maximum: all except disconnected ones.
             * @example 2
             */
            mailbox_accounts_count: number;
            /**
             * @description Bytes of archived mail, including that of disconnected mailboxes.
             * @example 734003200
             */
            storage_used_bytes: number;
            /**
             * Format: date-time
             * @description null before the first sign-in.
             * @example 2026-05-04T09:30:00.000Z
             */
            last_login_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            created_at: string;
            /**
             * @description Lower-case.
             * @example ada@example.org
             */
            email: string;
            /**
             * @description Display name.
             * @example Ada Lovelace
             */
            name: string | null;
            /** @description Inactive users cannot sign in, and no job runs for them. */
            is_active: boolean;
        };
        AdminUsersResponse: {
            /**
             * @description Matching users on all pages.
             * @example 128
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 50
             */
            limit: number;
            users: components["schemas"]["AdminUserResponse"][];
        };
        InviteUserDto: {
            /**
             * Format: email
             * @description Compared without regard to case.
             * @example grace@example.org
             */
            email: string;
            /** @example user */
            role: components["schemas"]["UserRole"];
            /**
             * @description Name shown to people.
             * @example Grace Hopper
             */
            name?: string | null;
        };
        InvitedUserResponse: {
            /**
             * Format: date-time
             * @description Seven days from now.
             * @example 2026-03-08T08:00:00.000Z
             */
            expires_at: string;
            user: components["schemas"]["AdminUserResponse"];
            /**
             * @description Give it only to the user: the first person to open it chooses the password. It is shown only once.
             * @example https://mail.example.org/invite#q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E
             */
            inviteUrl: string;
        };
        AdminJobSummaryResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /** @example active */
            status: components["schemas"]["JobStatus"];
            /**
             * @description 0–100: items dealt with, done or failed, of the total.
             * @example 40
             */
            progress: number;
            /**
             * @description Items to process; 0 while unknown.
             * @example 10000
             */
            total: number;
            /**
             * @description Items that were done.
             * @example 4000
             */
            processed: number;
            /**
             * @description Items that failed; `result.failures` names them, each with the reason.
             * @example 0
             */
            failed: number;
            /**
             * Format: uuid
             * @description null for jobs that concern no single account.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            mailbox_account_id: string | null;
            /**
             * @description Why the job failed, or why somebody other than its owner stopped it, as a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The same as a stable code.
             * @example null
             */
            error_code: string | null;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a worker first began it.
             * @example 2026-05-04T09:30:00.010Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the job ended; a cancelled job ends with its current batch.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description The jobId that started it: `<kind>-<number>`.
             * @example bulk_operation-42
             */
            queue_id: string;
            /**
             * @description Kind of the job.
             * @example bulk_operation
             */
            type: string;
        };
        AdminUserDetailResponse: {
            user: components["schemas"]["AdminUserResponse"];
            /** @description Oldest first, including disconnected ones. */
            mailboxAccounts: components["schemas"]["MailboxAccountResponse"][];
            /** @description The last 20 jobs, newest first, without input and result, which may name messages. */
            recentJobs: components["schemas"]["AdminJobSummaryResponse"][];
        };
        UpdateUserDto: {
            /** @example user */
            role?: components["schemas"]["UserRole"];
            /**
             * @description `false` ends the user's sessions and stops their jobs at once; `true` lets them sign in again.
             * @example true
             */
            is_active?: boolean;
            /**
             * @description Maximum of connected mailboxes. A value below the present number disconnects none.
             * @example 5
             */
            max_mailbox_accounts?: number;
            /**
             * @description Maximum bytes of archived mail. A value below the present size deletes nothing, but refuses more.
             * @example 5368709120
             */
            storage_quota_bytes?: number;
        };
        UserDeletionResponse: {
            /**
             * @description The job: `/api/jobs/{jobId}` for the administrator who started it, `/api/admin/jobs` for all.
             * @example delete_user-42
             */
            jobId: string;
            /** @example The user is locked out, and everything of theirs is being removed. */
            message: string;
        };
        /** @enum {string} */
        AuditOutcome: "success" | "failure";
        /**
         * @description `user`: the user or one of their jobs; `api-key`: a program with their key; `administrator`: another user with that
         *     role; `operator`: the command line; `service`: the service itself; `anonymous`: unknown, for example before sign-in.
         * @enum {string}
         */
        AuditActorKind: "user" | "api-key" | "operator" | "service" | "anonymous" | "administrator";
        AuditEntryResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            occurred_at: string;
            /**
             * @description `failure`: the act was refused or failed.
             * @example success
             */
            outcome: components["schemas"]["AuditOutcome"];
            /**
             * @description `user`: the user or one of their jobs; `api-key`: a program with their key; `administrator`: another user with that
             *     role; `operator`: the command line; `service`: the service itself; `anonymous`: unknown, for example before sign-in.
             * @example user
             */
            actor_kind: components["schemas"]["AuditActorKind"];
            /**
             * Format: uuid
             * @description The acting user; null when unknown, and for administrators, whose ids other users do not see.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            actor_id: string | null;
            /**
             * Format: uuid
             * @description The API key of the request.
             * @example null
             */
            api_key_id: string | null;
            /**
             * Format: uuid
             * @description The user whose data the act concerns.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            user_id: string | null;
            /**
             * Format: uuid
             * @example null
             */
            mailbox_account_id: string | null;
            /**
             * @description Counts, codes and names of settings, depending on the action; never content.
             * @example {
             *       "method": "password"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * @description `<subject>.<verb in the past>`; later versions may add actions.
             * @example session.opened
             */
            action: string;
            /**
             * @description Kind of the object, unless that is the user or the account.
             * @example session
             */
            target_type: string | null;
            /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f */
            target_id: string | null;
            /**
             * @description IP address of the client; null without one, and for administrators.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The response's `X-Request-Id`.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50
             */
            request_id: string | null;
            /**
             * @description The job that was started or that acted.
             * @example bulk_operation-42
             */
            job_id: string | null;
        };
        AuditPageResponse: {
            /**
             * @description Matching entries on all pages.
             * @example 120
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 50
             */
            limit: number;
            /** @description Newest first. */
            entries: components["schemas"]["AuditEntryResponse"][];
        };
        AdminAuditEntryResponse: {
            /**
             * Format: uuid
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-05-04T09:30:00.000Z
             */
            occurred_at: string;
            /**
             * @description `failure`: the act was refused or failed.
             * @example success
             */
            outcome: components["schemas"]["AuditOutcome"];
            /**
             * @description `user`: the user or one of their jobs; `api-key`: a program with their key; `administrator`: another user with that
             *     role; `operator`: the command line; `service`: the service itself; `anonymous`: unknown, for example before sign-in.
             * @example user
             */
            actor_kind: components["schemas"]["AuditActorKind"];
            /**
             * Format: uuid
             * @description The acting user; null when unknown, and for administrators, whose ids other users do not see.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            actor_id: string | null;
            /**
             * Format: uuid
             * @description The API key of the request.
             * @example null
             */
            api_key_id: string | null;
            /**
             * Format: uuid
             * @description The user whose data the act concerns.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e
             */
            user_id: string | null;
            /**
             * Format: uuid
             * @example null
             */
            mailbox_account_id: string | null;
            /**
             * @description Counts, codes and names of settings, depending on the action; never content.
             * @example {
             *       "method": "password"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * @description Position in the log, from 1, without gaps.
             * @example 4711
             */
            sequence: number;
            /**
             * @description Hexadecimal hash that binds the entry to all before it; `npm run cli -- audit:verify` checks it.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            hash: string;
            /**
             * @description Null when the user is unknown or deleted.
             * @example ada@example.org
             */
            actor_email: string | null;
            /**
             * @description Null when the user is unknown or deleted.
             * @example ada@example.org
             */
            user_email: string | null;
            /**
             * @description `<subject>.<verb in the past>`; later versions may add actions.
             * @example session.opened
             */
            action: string;
            /**
             * @description Kind of the object, unless that is the user or the account.
             * @example session
             */
            target_type: string | null;
            /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f */
            target_id: string | null;
            /**
             * @description IP address of the client; null without one, and for administrators.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The response's `X-Request-Id`.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50
             */
            request_id: string | null;
            /**
             * @description The job that was started or that acted.
             * @example bulk_operation-42
             */
            job_id: string | null;
        };
        AdminAuditPageResponse: {
            /**
             * @description Matching entries on all pages.
             * @example 120
             */
            total: number;
            /** @example 1 */
            page: number;
            /**
             * @description The page size used.
             * @example 50
             */
            limit: number;
            /** @description Newest first. */
            entries: components["schemas"]["AdminAuditEntryResponse"][];
        };
        ProblemFieldError: {
            /**
             * @description Path of the field, e.g. `messageIds`.
             * @example labelId
             */
            field: string;
            /**
             * @description What is wrong with it.
             * @example labelId should not be empty
             */
            message: string;
        };
        Problem: {
            /**
             * @description HTTP status.
             * @example 400
             */
            status: number;
            /**
             * @description URI reference that names the kind of problem.
             * @example urn:mailroom:problem:validation-failed
             */
            type: string;
            /**
             * @description Reason phrase of the status.
             * @example Bad Request
             */
            title: string;
            /**
             * @description What happened, for people.
             * @example action must be one of trash, delete, archive
             */
            detail: string;
            /**
             * @description Stable, kebab-case, for programs.
             * @example validation-failed
             */
            code: string;
            /**
             * @description Path of the request.
             * @example /api/jobs
             */
            instance: string;
            /**
             * @description Names the request in the logs.
             * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
             */
            requestId: string;
            /** @description The fields that failed validation. */
            errors?: components["schemas"]["ProblemFieldError"][];
            /**
             * @description What a mail server said, in its words.
             * @example Application-specific password required
             */
            serverText?: string;
        };
    };
    responses: {
        /** @description Unauthorized: `unauthorized` */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Request Timeout: `request-timeout` */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Payload Too Large: `payload-too-large` */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported Media Type: `unsupported-media-type` */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests: `too-many-requests` */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error: `internal-error` */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable: `service-unavailable` */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before asking again. */
        "Retry-After": number;
        /** @description What is missing (RFC 6750 §3). */
        "WWW-Authenticate": string;
        /** @description Where the next chunk of the upload begins. */
        "Upload-Offset": number;
        /** @description How long the file is (RFC 9110 §14.4). */
        "Content-Range": string;
        /** @description Requests that may be made in a minute. */
        "RateLimit-Limit": number;
        /** @description Requests left of them. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the minute ends. */
        "RateLimit-Reset": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["LivenessResponse"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["ReadinessResponse"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `not-ready` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "created_at": "2026-05-04T09:30:00.000Z",
                     *         "last_used_at": "2026-05-05T11:02:00.000Z",
                     *         "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                     *         "ip_address": "203.0.113.7",
                     *         "current": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeviceSessionResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "sessions.endOthers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "sessions.end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A session of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `session-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "name": "Backup script",
                     *         "prefix": "mrk_4xQ9ZpT0",
                     *         "scope": "read",
                     *         "account_ids": [
                     *           "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
                     *         ],
                     *         "expires_at": "2027-05-04T09:30:00.000Z",
                     *         "last_used_at": "2026-05-05T11:02:00.000Z",
                     *         "created_at": "2026-05-04T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKeyResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Backup script",
                 *       "scope": "read",
                 *       "expires_at": "2027-05-04T09:30:00.000Z",
                 *       "accountIds": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "name": "Backup script",
                     *       "prefix": "mrk_4xQ9ZpT0",
                     *       "scope": "read",
                     *       "account_ids": [
                     *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
                     *       ],
                     *       "expires_at": "2027-05-04T09:30:00.000Z",
                     *       "last_used_at": "2026-05-05T11:02:00.000Z",
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "key": "mrk_4xQ9ZpT0vYc2LhN7sWmK1dRfB6jGuE3aXoP5iV8tCqDz2kM0rF9H"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKeyResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `api-key-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "apiKeys.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An API key of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `api-key-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "twoFactor.getStatus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes_left": 10,
                     *       "enabled": false
                     *     }
                     */
                    "application/json": components["schemas"]["TwoFactorStatusResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "twoFactor.setUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SetUpTwoFactorDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expires_at": "2025-11-21T09:45:00.000Z",
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "otpauth_url": "otpauth://totp/Mailroom:ada%40example.org?issuer=Mailroom&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
                     *     }
                     */
                    "application/json": components["schemas"]["TwoFactorSetupResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `no-local-password`, `totp-already-enabled` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "twoFactor.enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082"
                 *     }
                 */
                "application/json": components["schemas"]["EnableTwoFactorDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "MFRG-GZDF-MZTW-Q2LK",
                     *         "NNWG-23TP-OBYX-E43U"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `totp-already-enabled`, `totp-not-set-up`, `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "twoFactor.disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["TwoFactorProofDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["TwoFactorDisabledResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `totp-not-enabled`, `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "twoFactor.renewRecoveryCodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["TwoFactorProofDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "MFRG-GZDF-MZTW-Q2LK",
                     *         "NNWG-23TP-OBYX-E43U"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `totp-not-enabled`, `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "auth.register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery",
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "email": "ada@example.org",
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "name": "Ada Lovelace",
                     *         "role": "user",
                     *         "is_active": false,
                     *         "totp_enabled": false,
                     *         "has_password": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `registration-closed` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `email-taken` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "auth.login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "totp_code": "287082",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LoginDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "email": "ada@example.org",
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "name": "Ada Lovelace",
                     *         "role": "user",
                     *         "is_active": false,
                     *         "totp_enabled": false,
                     *         "has_password": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `invalid-credentials`, `totp-invalid`, `totp-required` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "auth.refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "email": "ada@example.org",
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "name": "Ada Lovelace",
                     *         "role": "user",
                     *         "is_active": false,
                     *         "totp_enabled": false,
                     *         "has_password": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `invalid-refresh-token` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `refresh-in-progress` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082",
                 *       "current": "correct horse battery",
                 *       "next": "staple of a correct horse"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordDto"];
            };
        };
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `no-local-password`, `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "auth.readInvitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E"
                 *     }
                 */
                "application/json": components["schemas"]["ReadInvitationDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expires_at": "2026-03-08T08:00:00.000Z",
                     *       "email": "ada@example.org",
                     *       "name": "Ada Lovelace"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `invitation-invalid` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.acceptInvitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitationDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "email": "ada@example.org",
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "name": "Ada Lovelace",
                     *         "role": "user",
                     *         "is_active": false,
                     *         "totp_enabled": false,
                     *         "has_password": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `invitation-invalid` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "singleSignOn.login": {
        parameters: {
            query?: {
                /** @description Path of the application to return to; anything else counts as `/` */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `oidc-failed` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `oidc-not-configured` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `oidc-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "singleSignOn.callback": {
        parameters: {
            query?: {
                /** @description Issuer (RFC 9207) */
                iss?: string;
                /** @description Error of the provider, in place of a code */
                error?: string;
                /** @description Authorisation code */
                code?: string;
                /** @description The state of the login URL */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To `return_to`, or `/login?error=…`; for a link to `/settings?oidc=linked` or `/settings?oidc=error&code=…` */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `oidc-not-configured` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "singleSignOn.link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LinkIdentityDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://id.example.org/authorize?client_id=mailroom&state=Zm9v"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkIdentityResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `oidc-not-configured` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `oidc-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "singleSignOn.unlink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "totp_code": "287082",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LinkIdentityDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityUnlinkedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `password-invalid`, `totp-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `no-local-password`, `oidc-not-linked`, `totp-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `sign-in-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "auth.config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "appUrl": "https://mail.example.org",
                     *       "maxUploadBytes": 53687091200,
                     *       "allowRegistration": false,
                     *       "providers": [
                     *         "gmail"
                     *       ],
                     *       "oidc": {
                     *         "login_url": "https://mail.example.org/api/auth/oidc/login",
                     *         "name": "Single sign-on"
                     *       },
                     *       "setupRequired": false,
                     *       "version": "0.1.0",
                     *       "sandbox": false
                     *     }
                     */
                    "application/json": components["schemas"]["AuthConfigResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "storageUsedBytes": 73400320,
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "email": "ada@example.org",
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "name": "Ada Lovelace",
                     *         "role": "user",
                     *         "is_active": false,
                     *         "totp_enabled": false,
                     *         "has_password": false
                     *       },
                     *       "mailboxAccounts": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "last_synced_at": "2025-11-21T09:30:00.000Z",
                     *           "created_at": "2025-11-21T09:30:00.000Z",
                     *           "email": "ada@gmail.com",
                     *           "provider": "gmail",
                     *           "is_active": false,
                     *           "status": "connected"
                     *         }
                     *       ],
                     *       "preferences": {
                     *         "language": "fr",
                     *         "timezone": "Europe/Paris",
                     *         "theme": "dark",
                     *         "density": "compact"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.updateMe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMeDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "email": "ada@example.org",
                     *       "max_mailbox_accounts": 5,
                     *       "storage_quota_bytes": 5368709120,
                     *       "created_at": "2025-11-21T09:30:00.000Z",
                     *       "name": "Ada Lovelace",
                     *       "role": "user",
                     *       "is_active": false,
                     *       "totp_enabled": false,
                     *       "has_password": false
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.getPreferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "language": "fr",
                     *       "timezone": "Europe/Paris",
                     *       "theme": "dark",
                     *       "density": "compact"
                     *     }
                     */
                    "application/json": components["schemas"]["DisplayPreferencesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "auth.updatePreferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "fr",
                 *       "timezone": "Europe/Paris",
                 *       "theme": "dark",
                 *       "density": "compact"
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePreferencesDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "language": "fr",
                     *       "timezone": "Europe/Paris",
                     *       "theme": "dark",
                     *       "density": "compact"
                     *     }
                     */
                    "application/json": components["schemas"]["DisplayPreferencesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "mailboxAccounts.toggle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "is_active": false
                     *     }
                     */
                    "application/json": components["schemas"]["ToggledAccountResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "mailbox.getProfile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messagesTotal": 48211,
                     *       "threadsTotal": 30190,
                     *       "emailAddress": "ada@example.org",
                     *       "historyId": "9143027"
                     *     }
                     */
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.listMessages": {
        parameters: {
            query?: {
                /** @description `nextPageToken` of the previous answer. */
                pageToken?: string;
                /** @description Ids per page; values above 500 count as 500. */
                maxResults?: number;
                /** @description Query in the provider's own search language; default: everything but spam and trash. */
                q?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nextPageToken": "07534206617283946102",
                     *       "resultSizeEstimate": 201,
                     *       "messages": [
                     *         {
                     *           "id": "1932c5e7d5b7c3a9",
                     *           "threadId": "1932c5e7d5b7c3a9"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.getMessages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "1932c5e7d5b7c3a9"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GetMessagesDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "sizeEstimate": 48213,
                     *         "id": "1932c5e7d5b7c3a9",
                     *         "subject": "Your invoice for November",
                     *         "from": "Grace Hopper <grace@example.org>",
                     *         "date": "Fri, 21 Nov 2025 09:13:51 +0100",
                     *         "snippet": "Dear Ada, please find attached",
                     *         "labelIds": [
                     *           "INBOX",
                     *           "UNREAD"
                     *         ],
                     *         "hasAttachments": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MessageSummaryResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.getMessage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sizeEstimate": 48213,
                     *       "id": "1932c5e7d5b7c3a9",
                     *       "subject": "Your invoice for November",
                     *       "from": "Grace Hopper <grace@example.org>",
                     *       "date": "Fri, 21 Nov 2025 09:13:51 +0100",
                     *       "snippet": "Dear Ada, please find attached",
                     *       "labelIds": [
                     *         "INBOX",
                     *         "UNREAD"
                     *       ],
                     *       "hasAttachments": true,
                     *       "threadId": "1932c5e7d5b7c3a9",
                     *       "to": "ada@example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.getFullMessage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Bad Gateway: `message-incomplete`, `message-mismatch`, `message-too-large` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.downloadAttachment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
                /**
                 * @description A part of the message, by its id in the full message.
                 * @example 1.2
                 */
                partId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `attachment-not-found`, `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Bad Gateway: `message-incomplete`, `message-mismatch`, `message-too-large` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.listLabels": {
        parameters: {
            query?: {
                /** @description False leaves the message counts null and saves a provider call per label. */
                counts?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "user",
                     *         "messagesTotal": 120,
                     *         "messagesUnread": 4,
                     *         "id": "Label_12",
                     *         "name": "Receipts"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LabelResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.createLabel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Receipts/2025"
                 *     }
                 */
                "application/json": components["schemas"]["CreateLabelDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "user",
                     *       "messagesTotal": 120,
                     *       "messagesUnread": 4,
                     *       "id": "Label_12",
                     *       "name": "Receipts"
                     *     }
                     */
                    "application/json": components["schemas"]["LabelResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `label-exists`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.deleteLabel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A label, by the mail provider’s id.
                 * @example Label_12
                 */
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed`, `label-protected`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `label-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "liveUpdates.stream": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the last event shown, as browsers send it when they reconnect. The toasts since then come first: at most the newest 100 of the last five minutes. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `job`, `notification` and `account`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "active",
                     *       "progress": 40,
                     *       "total": 10000,
                     *       "processed": 4000,
                     *       "failed": 0,
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "result": {
                     *         "failures": []
                     *       },
                     *       "error": null,
                     *       "error_code": null,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "started_at": "2026-05-04T09:30:00.010Z",
                     *       "completed_at": null,
                     *       "queue_id": "bulk_operation-42",
                     *       "type": "bulk_operation"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["JobEventResponse"] | components["schemas"]["ToastResponse"] | components["schemas"]["AccountEventResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-streams` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "mailboxAccounts.connect": {
        parameters: {
            query: {
                /** @description Provider of the mailbox. */
                provider: "gmail";
                /** @description An account of the caller to connect again; the provider's page then suggests its address. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://accounts.google.com/o/oauth2/v2/auth?client_id=1234&state=Zm9v"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `account-not-owned`, `mailbox-account-limit` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-not-configured` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailboxAccounts.callback": {
        parameters: {
            query?: {
                /** @description The provider’s error, instead of a code */
                error?: string;
                /** @description Authorisation code */
                code?: string;
                /** @description From the consent URL */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To `/settings?mailbox=connected&account=…` or `/settings?mailbox=error&code=…` */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "imapAccounts.discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["DiscoverImapDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "candidates": [
                     *         {
                     *           "port": 993,
                     *           "security": "tls",
                     *           "source": "provider",
                     *           "host": "imap.example.com",
                     *           "username": "ada@example.com"
                     *         }
                     *       ],
                     *       "hint": {
                     *         "code": "app-password",
                     *         "provider": "iCloud"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImapDiscoveryResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "imapAccounts.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "imap.example.com",
                 *       "port": 993,
                 *       "security": "tls",
                 *       "username": "ada@example.com",
                 *       "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *       "email": "ada@example.com",
                 *       "password": "correct-horse-battery-staple",
                 *       "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *       "roles": {
                 *         "Old mail": "archive"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConnectImapDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "server": {
                     *         "port": 993,
                     *         "security": "tls",
                     *         "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "host": "imap.example.com",
                     *         "username": "ada@example.com"
                     *       },
                     *       "capabilities": [
                     *         "IMAP4REV1",
                     *         "UIDPLUS"
                     *       ],
                     *       "folders": [
                     *         {
                     *           "role": "inbox",
                     *           "source": "user",
                     *           "problem": null,
                     *           "path": "Sent"
                     *         }
                     *       ],
                     *       "exactSizes": false,
                     *       "rolesFixed": false,
                     *       "code": "imap-login-failed",
                     *       "error": "The server refused the user name or the password.",
                     *       "field": "password",
                     *       "serverText": "Application-specific password required",
                     *       "certificate": {
                     *         "validFrom": "2026-01-01T00:00:00.000Z",
                     *         "validTo": "2027-01-01T00:00:00.000Z",
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "subject": "mail.example.com",
                     *         "issuer": "mail.example.com"
                     *       },
                     *       "success": false
                     *     }
                     */
                    "application/json": components["schemas"]["ImapTestResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "imapAccounts.connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "imap.example.com",
                 *       "port": 993,
                 *       "security": "tls",
                 *       "username": "ada@example.com",
                 *       "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *       "email": "ada@example.com",
                 *       "password": "correct-horse-battery-staple",
                 *       "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *       "roles": {
                 *         "Old mail": "archive"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConnectImapDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "last_synced_at": "2025-11-21T09:30:00.000Z",
                     *       "created_at": "2025-11-21T09:30:00.000Z",
                     *       "imap": {
                     *         "server": {
                     *           "port": 993,
                     *           "security": "tls",
                     *           "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "host": "imap.example.com",
                     *           "username": "ada@example.com"
                     *         },
                     *         "provider": "iCloud",
                     *         "capabilities": [
                     *           "IMAP4REV1",
                     *           "UIDPLUS"
                     *         ],
                     *         "maxConnections": 3,
                     *         "folders": [
                     *           {
                     *             "role": "inbox",
                     *             "source": "user",
                     *             "problem": null,
                     *             "path": "Sent"
                     *           }
                     *         ],
                     *         "exactSizes": false,
                     *         "rolesFixed": false
                     *       },
                     *       "email": "ada@gmail.com",
                     *       "provider": "gmail",
                     *       "is_active": false,
                     *       "status": "connected"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectedImapResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `imap-login-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned`, `mailbox-account-limit` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-connected-otherwise`, `mailbox-purging` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `imap-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "imapAccounts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "server": {
                     *         "port": 993,
                     *         "security": "tls",
                     *         "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "host": "imap.example.com",
                     *         "username": "ada@example.com"
                     *       },
                     *       "provider": "iCloud",
                     *       "capabilities": [
                     *         "IMAP4REV1",
                     *         "UIDPLUS"
                     *       ],
                     *       "maxConnections": 3,
                     *       "folders": [
                     *         {
                     *           "role": "inbox",
                     *           "source": "user",
                     *           "problem": null,
                     *           "path": "Sent"
                     *         }
                     *       ],
                     *       "exactSizes": false,
                     *       "rolesFixed": false
                     *     }
                     */
                    "application/json": components["schemas"]["ImapAccountResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `imap-account-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "imapAccounts.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "imap.example.com",
                 *       "port": 993,
                 *       "security": "tls",
                 *       "username": "ada@example.com",
                 *       "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *       "password": "correct-horse-battery-staple",
                 *       "roles": {
                 *         "Old mail": "archive"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateImapDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "server": {
                     *         "port": 993,
                     *         "security": "tls",
                     *         "certificateSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "host": "imap.example.com",
                     *         "username": "ada@example.com"
                     *       },
                     *       "provider": "iCloud",
                     *       "capabilities": [
                     *         "IMAP4REV1",
                     *         "UIDPLUS"
                     *       ],
                     *       "maxConnections": 3,
                     *       "folders": [
                     *         {
                     *           "role": "inbox",
                     *           "source": "user",
                     *           "problem": null,
                     *           "path": "Sent"
                     *         }
                     *       ],
                     *       "exactSizes": false,
                     *       "rolesFixed": false
                     *     }
                     */
                    "application/json": components["schemas"]["ImapAccountResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields`, `imap-login-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `imap-account-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `imap-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.createSelection": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "leaveOut": [
                 *         "starred",
                 *         "important"
                 *       ],
                 *       "query": "from:newsletter@example.org older_than:1y"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSelectionDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "count": 4780,
                     *       "unreadCount": 812,
                     *       "starredCount": 0,
                     *       "importantCount": 0,
                     *       "leftOutStarredCount": 20,
                     *       "leftOutImportantCount": 12,
                     *       "sizeBytes": 2040109465,
                     *       "oldest": "2019-03-02T08:11:00.000Z",
                     *       "newest": "2024-11-20T17:45:12.000Z",
                     *       "expires_at": "2025-11-21T09:45:00.000Z",
                     *       "query": "from:newsletter@example.org older_than:1y"
                     *     }
                     */
                    "application/json": components["schemas"]["SelectionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported`, `selection-too-large` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.startBulkOperation": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "label",
                 *       "messageIds": [
                 *         "1932c5e7d5b7c3a9"
                 *       ],
                 *       "selectionId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *       "confirmedCount": 4780,
                 *       "labelId": "Label_12"
                 *     }
                 */
                "application/json": components["schemas"]["StartBulkOperationDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "bulk_operation-42",
                     *       "message": "Bulk operation started: 1,000 messages"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperationResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `count-mismatch`, `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required`, `selection-expired` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "jobs.getUndo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reason": "already-undone",
                     *       "until": "2025-12-20T09:30:00.000Z",
                     *       "messages": 4780,
                     *       "calls": 6,
                     *       "undoneBy": "undo_changes-43",
                     *       "undoable": true
                     *     }
                     */
                    "application/json": components["schemas"]["UndoResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.undo": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "undo_changes-43",
                     *       "message": "Undo started: 4,780 messages"
                     *     }
                     */
                    "application/json": components["schemas"]["UndoStartedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `already-undone`, `idempotency-key-reused`, `job-not-finished`, `mailbox-disconnected`, `mailbox-reauth-required`, `not-undoable`, `nothing-changed`, `undo-expired` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.list": {
        parameters: {
            query?: {
                /** @description Only jobs in this status. */
                status?: components["schemas"]["JobStatus"];
                /** @description Jobs to return; above 500 it is lowered to 500. */
                limit?: number;
                /** @description Only jobs of this kind. */
                type?: string;
                /** @description Only jobs of this mailbox account, which must be the caller's. */
                accountId?: string;
                /** @description Only jobs older than this one, for the next page. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "status": "active",
                     *         "progress": 40,
                     *         "total": 10000,
                     *         "processed": 4000,
                     *         "failed": 0,
                     *         "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "result": {
                     *           "failures": []
                     *         },
                     *         "error": null,
                     *         "error_code": null,
                     *         "created_at": "2026-05-04T09:30:00.000Z",
                     *         "started_at": "2026-05-04T09:30:00.010Z",
                     *         "completed_at": null,
                     *         "payload": {
                     *           "action": "mark_read",
                     *           "messageIds": [
                     *             "18c2f3a4b5d6e7f8"
                     *           ]
                     *         },
                     *         "payload_truncated": false,
                     *         "payload_removed": false,
                     *         "queue_id": "bulk_operation-42",
                     *         "type": "bulk_operation"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["JobResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `account-not-owned`, `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "jobs.streamAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `job`; the data of each is a job without its payload. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "active",
                     *       "progress": 40,
                     *       "total": 10000,
                     *       "processed": 4000,
                     *       "failed": 0,
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "result": {
                     *         "failures": []
                     *       },
                     *       "error": null,
                     *       "error_code": null,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "started_at": "2026-05-04T09:30:00.010Z",
                     *       "completed_at": null,
                     *       "queue_id": "bulk_operation-42",
                     *       "type": "bulk_operation"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["JobEventResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-streams` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "active",
                     *       "progress": 40,
                     *       "total": 10000,
                     *       "processed": 4000,
                     *       "failed": 0,
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "result": {
                     *         "failures": []
                     *       },
                     *       "error": null,
                     *       "error_code": null,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "started_at": "2026-05-04T09:30:00.010Z",
                     *       "completed_at": null,
                     *       "payload": {
                     *         "action": "mark_read",
                     *         "messageIds": [
                     *           "18c2f3a4b5d6e7f8"
                     *         ]
                     *       },
                     *       "queueState": "active",
                     *       "payload_truncated": false,
                     *       "payload_removed": false,
                     *       "queue_id": "bulk_operation-42",
                     *       "type": "bulk_operation"
                     *     }
                     */
                    "application/json": components["schemas"]["JobDetailResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `job-finished` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.streamOne": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events named `job`; the data of each is the job without its payload. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "active",
                     *       "progress": 40,
                     *       "total": 10000,
                     *       "processed": 4000,
                     *       "failed": 0,
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "result": {
                     *         "failures": []
                     *       },
                     *       "error": null,
                     *       "error_code": null,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "started_at": "2026-05-04T09:30:00.010Z",
                     *       "completed_at": null,
                     *       "queue_id": "bulk_operation-42",
                     *       "type": "bulk_operation"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["JobEventResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-streams` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.resume": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "bulk_operation-42"
                     *     }
                     */
                    "application/json": components["schemas"]["StartedJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused`, `job-not-resumable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "jobs.retryFailed": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The jobId that started the job, or the id of its record
                 * @example bulk_operation-42
                 */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "bulk_operation-42"
                     *     }
                     */
                    "application/json": components["schemas"]["StartedJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `job-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused`, `job-not-retryable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archive.archiveMessages": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArchiveMailsDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "archive_mails-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `count-mismatch`, `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required`, `selection-expired` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archive.listMails": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /**
                 * @description Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
                 *     are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word.
                 */
                q?: string;
                /** @description Part of the sender's name or address, in any case. */
                sender?: string;
                /** @description Part of the To line, in any case. */
                recipient?: string;
                /** @description A label as mails have it: the mailbox's id, or the name that imported mail came with. */
                label?: string;
                /** @description ISO 8601, inclusive; a date without time begins with its day in UTC. */
                from_date?: string;
                /** @description ISO 8601, inclusive; a date without time ends with its day in UTC. */
                to_date?: string;
                /** @description Only mails with (true) or without (false) attachments. */
                has_attachments?: boolean;
                /** @description In bytes, inclusive. */
                min_size?: number;
                /** @description In bytes, inclusive. */
                max_size?: number;
                /** @description Only mails that are (true) or are not (false) encrypted. */
                encrypted?: boolean;
                /** @description Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox. */
                only_in_archive?: boolean;
                /**
                 * @description ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
                 *     not move when more mail is archived.
                 */
                archived_until?: string;
                /** @description Senders and subjects are compared in any case, subjects by their first 60 characters; equal mails by date. */
                sort?: "date" | "size" | "sender" | "subject";
                /** @description `asc` is the same list from its end. */
                order?: "desc" | "asc";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1234,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "archived_until": "2024-03-01T08:00:00.000Z",
                     *       "mails": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "size_bytes": 48213,
                     *           "archived_at": "2024-03-01T08:00:00.000Z",
                     *           "presence": "mailbox",
                     *           "mailbox_message_id": "18c2f1a9b3d4e5f6",
                     *           "subject": "Annual report",
                     *           "sender": "Alice Example <alice@example.com>",
                     *           "has_attachments": false,
                     *           "label_ids": [
                     *             "INBOX"
                     *           ],
                     *           "thread_id": "18c2f1a9b3d4e5f6",
                     *           "recipient": "Bob Example <bob@example.com>",
                     *           "snippet": "Dear Bob, attached you find …",
                     *           "is_encrypted": false,
                     *           "only_in_archive": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MailPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.getMail": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An archived mail.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                mailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "date": "2024-02-29T12:34:56.000Z",
                     *       "size_bytes": 48213,
                     *       "archived_at": "2024-03-01T08:00:00.000Z",
                     *       "presence": "mailbox",
                     *       "in_reply_to": "<1234@example.com>",
                     *       "references_header": "<1233@example.com> <1234@example.com>",
                     *       "emlContent": null,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "defects": [],
                     *       "attachments": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "size_bytes": 30211,
                     *           "file_path": "<userId>/<accountId>/2024/02/<mailId>.eml#2/report.pdf",
                     *           "filename": "report.pdf",
                     *           "mime_type": "application/pdf"
                     *         }
                     *       ],
                     *       "mailbox_message_id": "18c2f1a9b3d4e5f6",
                     *       "subject": "Annual report",
                     *       "sender": "Alice Example <alice@example.com>",
                     *       "has_attachments": false,
                     *       "label_ids": [
                     *         "INBOX"
                     *       ],
                     *       "thread_id": "18c2f1a9b3d4e5f6",
                     *       "recipient": "Bob Example <bob@example.com>",
                     *       "snippet": "Dear Bob, attached you find …",
                     *       "is_encrypted": false,
                     *       "only_in_archive": false
                     *     }
                     */
                    "application/json": components["schemas"]["MailResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.downloadEml": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
                /** @description The bytes to return (RFC 9110 §14.2), with status 206. */
                Range?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An archived mail.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                mailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
            /** @description Unchanged since the `ETag` in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Range Not Satisfiable: `range-not-satisfiable` */
            416: {
                headers: {
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.downloadAttachment": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
                /** @description The bytes to return (RFC 9110 §14.2), with status 206. */
                Range?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An attachment of an archived mail.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attachment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Unchanged since the `ETag` in `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `attachment-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Range Not Satisfiable: `range-not-satisfiable` */
            416: {
                headers: {
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.getFacets": {
        parameters: {
            query?: {
                /**
                 * @description Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
                 *     are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word.
                 */
                q?: string;
                /** @description Part of the sender's name or address, in any case. */
                sender?: string;
                /** @description Part of the To line, in any case. */
                recipient?: string;
                /** @description A label as mails have it: the mailbox's id, or the name that imported mail came with. */
                label?: string;
                /** @description ISO 8601, inclusive; a date without time begins with its day in UTC. */
                from_date?: string;
                /** @description ISO 8601, inclusive; a date without time ends with its day in UTC. */
                to_date?: string;
                /** @description Only mails with (true) or without (false) attachments. */
                has_attachments?: boolean;
                /** @description In bytes, inclusive. */
                min_size?: number;
                /** @description In bytes, inclusive. */
                max_size?: number;
                /** @description Only mails that are (true) or are not (false) encrypted. */
                encrypted?: boolean;
                /** @description Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox. */
                only_in_archive?: boolean;
                /**
                 * @description ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
                 *     not move when more mail is archived.
                 */
                archived_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1310,
                     *       "total_size": 96000000,
                     *       "with_attachments": 200,
                     *       "encrypted": 12,
                     *       "labels": [
                     *         {
                     *           "count": 410,
                     *           "id": "Label_7",
                     *           "name": "Bills"
                     *         }
                     *       ],
                     *       "senders": [
                     *         {
                     *           "count": 120,
                     *           "total_size": 5400000,
                     *           "address": "alice@example.com",
                     *           "sender": "Alice Example <alice@example.com>"
                     *         }
                     *       ],
                     *       "months": [
                     *         {
                     *           "count": 41,
                     *           "month": "2024-02"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveFacetsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.search": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /**
                 * @description Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
                 *     are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word.
                 */
                q?: string;
                /** @description Part of the sender's name or address, in any case. */
                sender?: string;
                /** @description Part of the To line, in any case. */
                recipient?: string;
                /** @description A label as mails have it: the mailbox's id, or the name that imported mail came with. */
                label?: string;
                /** @description ISO 8601, inclusive; a date without time begins with its day in UTC. */
                from_date?: string;
                /** @description ISO 8601, inclusive; a date without time ends with its day in UTC. */
                to_date?: string;
                /** @description Only mails with (true) or without (false) attachments. */
                has_attachments?: boolean;
                /** @description In bytes, inclusive. */
                min_size?: number;
                /** @description In bytes, inclusive. */
                max_size?: number;
                /** @description Only mails that are (true) or are not (false) encrypted. */
                encrypted?: boolean;
                /** @description Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox. */
                only_in_archive?: boolean;
                /**
                 * @description ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
                 *     not move when more mail is archived.
                 */
                archived_until?: string;
                /** @description Equal mails are sorted by date. */
                sort?: "date" | "size";
                /** @description `asc` is the same list from its end. */
                order?: "desc" | "asc";
                /** @description Only the archive of this mailbox account, which must be the caller's. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1234,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "archived_until": "2024-03-01T08:00:00.000Z",
                     *       "mails": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "size_bytes": 48213,
                     *           "archived_at": "2024-03-01T08:00:00.000Z",
                     *           "presence": "mailbox",
                     *           "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "mailbox_message_id": "18c2f1a9b3d4e5f6",
                     *           "subject": "Annual report",
                     *           "sender": "Alice Example <alice@example.com>",
                     *           "has_attachments": false,
                     *           "label_ids": [
                     *             "INBOX"
                     *           ],
                     *           "thread_id": "18c2f1a9b3d4e5f6",
                     *           "recipient": "Bob Example <bob@example.com>",
                     *           "snippet": "Dear Bob, attached you find …",
                     *           "is_encrypted": false,
                     *           "only_in_archive": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveSearchResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `account-not-owned`, `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.listThreads": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /**
                 * @description Full-text search in subject, sender, recipients, attachment names and text, ignoring case and accents. All words
                 *     are required; `"phrases"` and `-word` are supported; the last word may be the beginning of a word.
                 */
                q?: string;
                /** @description Part of the sender's name or address, in any case. */
                sender?: string;
                /** @description Part of the To line, in any case. */
                recipient?: string;
                /** @description A label as mails have it: the mailbox's id, or the name that imported mail came with. */
                label?: string;
                /** @description ISO 8601, inclusive; a date without time begins with its day in UTC. */
                from_date?: string;
                /** @description ISO 8601, inclusive; a date without time ends with its day in UTC. */
                to_date?: string;
                /** @description Only mails with (true) or without (false) attachments. */
                has_attachments?: boolean;
                /** @description In bytes, inclusive. */
                min_size?: number;
                /** @description In bytes, inclusive. */
                max_size?: number;
                /** @description Only mails that are (true) or are not (false) encrypted. */
                encrypted?: boolean;
                /** @description Only mails whose messages were (true) or were not (false) found to be deleted in the mailbox. */
                only_in_archive?: boolean;
                /**
                 * @description ISO 8601, inclusive: only mails archived until then. With the `archived_until` of the first page, further pages do
                 *     not move when more mail is archived.
                 */
                archived_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 321,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "threads": [
                     *         {
                     *           "message_count": 4,
                     *           "latest_date": "2024-02-29T12:34:56.000Z",
                     *           "total_size": 192004,
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "archived_at": "2024-03-01T08:00:00.000Z",
                     *           "thread_id": "18c2f1a9b3d4e5f6",
                     *           "senders": [
                     *             "Alice Example <alice@example.com>"
                     *           ],
                     *           "has_attachments": false,
                     *           "subject": "Re: Annual report",
                     *           "sender": "Alice Example <alice@example.com>",
                     *           "snippet": "Thank you, that clears it up."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.getThread": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A thread, by the thread id of its mails.
                 * @example 18c2f1a9b3d4e5f6
                 */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "date": "2024-02-29T12:34:56.000Z",
                     *         "size_bytes": 48213,
                     *         "archived_at": "2024-03-01T08:00:00.000Z",
                     *         "presence": "mailbox",
                     *         "in_reply_to": "<1234@example.com>",
                     *         "references_header": "<1233@example.com> <1234@example.com>",
                     *         "attachments": [
                     *           {
                     *             "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *             "size_bytes": 30211,
                     *             "filename": "report.pdf",
                     *             "mime_type": "application/pdf"
                     *           }
                     *         ],
                     *         "mailbox_message_id": "18c2f1a9b3d4e5f6",
                     *         "subject": "Annual report",
                     *         "sender": "Alice Example <alice@example.com>",
                     *         "has_attachments": false,
                     *         "label_ids": [
                     *           "INBOX"
                     *         ],
                     *         "thread_id": "18c2f1a9b3d4e5f6",
                     *         "recipient": "Bob Example <bob@example.com>",
                     *         "snippet": "Dear Bob, attached you find …",
                     *         "is_encrypted": false,
                     *         "only_in_archive": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ThreadMailResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `thread-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archive.deleteMails": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailIds": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       ],
                 *       "filter": {
                 *         "q": "invoice",
                 *         "to_date": "2020-12-31"
                 *       },
                 *       "confirmedCount": 1310
                 *     }
                 */
                "application/json": components["schemas"]["DeleteMailsDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "delete_archived_mails-42"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteMailsJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `too-many-mails` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `count-mismatch`, `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archiving.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "keep",
                     *       "exclusions": [
                     *         "spam",
                     *         "trash",
                     *         "drafts"
                     *       ],
                     *       "verifyDays": 8,
                     *       "reconcileDays": 7,
                     *       "notifyAfterHours": 24,
                     *       "state": "healthy",
                     *       "reason": null,
                     *       "since": null,
                     *       "lookedAt": "2026-05-04T09:30:00.000Z",
                     *       "copiedAt": "2026-05-04T09:29:12.000Z",
                     *       "pending": 0,
                     *       "oldestPendingAt": null,
                     *       "reconciledAt": "2026-05-01T02:11:00.000Z",
                     *       "jobId": "keep_copies-42",
                     *       "paused": false,
                     *       "followLabels": true,
                     *       "exact": true,
                     *       "incompleteFolders": []
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivingResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archiving.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "keep",
                 *       "paused": false,
                 *       "exclusions": [
                 *         "spam",
                 *         "trash",
                 *         "drafts",
                 *         "sender:@newsletters.example"
                 *       ],
                 *       "verifyDays": 8,
                 *       "reconcileDays": 7,
                 *       "notifyAfterHours": 24,
                 *       "followLabels": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateArchivingDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "keep",
                     *       "exclusions": [
                     *         "spam",
                     *         "trash",
                     *         "drafts"
                     *       ],
                     *       "verifyDays": 8,
                     *       "reconcileDays": 7,
                     *       "notifyAfterHours": 24,
                     *       "state": "healthy",
                     *       "reason": null,
                     *       "since": null,
                     *       "lookedAt": "2026-05-04T09:30:00.000Z",
                     *       "copiedAt": "2026-05-04T09:29:12.000Z",
                     *       "pending": 0,
                     *       "oldestPendingAt": null,
                     *       "reconciledAt": "2026-05-01T02:11:00.000Z",
                     *       "jobId": "keep_copies-42",
                     *       "paused": false,
                     *       "followLabels": true,
                     *       "exact": true,
                     *       "incompleteFolders": []
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivingResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archiving.reconcile": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "reconcile_mailbox-42",
                     *       "message": "The ledger is being compared with the mailbox."
                     *     }
                     */
                    "application/json": components["schemas"]["ReconcileResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archiving-off`, `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archive.exportZip": {
        parameters: {
            query?: {
                /** @description Deflate the entries instead of storing them: a smaller file, at a fifth of the speed. */
                compress?: boolean;
            };
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailIds": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ExportZipDto"];
            };
        };
        responses: {
            /** @description The ZIP */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.exportMailbox": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "select": {
                 *         "filter": {
                 *           "to_date": "2020-12-31"
                 *         }
                 *       },
                 *       "format": "maildir"
                 *     }
                 */
                "application/json": components["schemas"]["ExportMailboxDto"];
            };
        };
        responses: {
            /** @description The ZIP */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `too-many-mails` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import.exportMbox": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mailIds": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ExportMboxDto"];
            };
        };
        responses: {
            /** @description The mbox file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/mbox": string;
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mail-deleted-meanwhile`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.prepareExport": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mailIds": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       ],
                 *       "filter": {
                 *         "q": "invoice",
                 *         "to_date": "2020-12-31"
                 *       },
                 *       "format": "zip",
                 *       "compress": true
                 *     }
                 */
                "application/json": components["schemas"]["PrepareExportDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "mails": 1310,
                     *       "bytes": 91226112,
                     *       "expires_at": "2024-02-29T12:44:56.000Z",
                     *       "url": "/api/archive/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c/exports/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "filename": "archive-export-2024-02-29.zip"
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedExportResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `too-many-mails` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "archive.downloadExport": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A prepared export of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                    "application/mbox": string;
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `export-not-found`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused`, `mail-deleted-meanwhile`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "storage.getConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "type": "objstore",
                     *       "objstore_endpoint": "https://s3.eu-central-1.amazonaws.com",
                     *       "objstore_region": "eu-central-1",
                     *       "objstore_bucket": "mailroom-archives",
                     *       "objstore_force_path_style": true,
                     *       "created_at": "2026-11-21T08:00:00.000Z",
                     *       "updated_at": "2026-11-21T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageConfigResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "storage.updateConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "objstore",
                 *       "objstoreEndpoint": "https://s3.eu-central-1.amazonaws.com",
                 *       "objstoreRegion": "eu-central-1",
                 *       "objstoreBucket": "mailroom-archives",
                 *       "objstoreAccessKeyId": "AKIAIOSFODNN7EXAMPLE",
                 *       "objstoreSecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                 *       "objstoreForcePathStyle": true
                 *     }
                 */
                "application/json": components["schemas"]["StorageConfigDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["StorageSavedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "storage.testObjectStore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpoint": "https://s3.eu-central-1.amazonaws.com",
                 *       "region": "eu-central-1",
                 *       "bucket": "mailroom-archives",
                 *       "accessKeyId": "AKIAIOSFODNN7EXAMPLE",
                 *       "secretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                 *       "forcePathStyle": true
                 *     }
                 */
                "application/json": components["schemas"]["TestObjectStoreDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": false,
                     *       "error": "The object store cannot be used: the secret access key is wrong."
                     *     }
                     */
                    "application/json": components["schemas"]["ObjectStoreTestResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "import.importMbox": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description An mbox file of any dialect, plain or compressed with gzip
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "import_mbox-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout: `request-timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `quota-exceeded`, `upload-too-large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported-media-type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs`, `too-many-uploads` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import.importImap": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "imap.example.com",
                 *       "port": 993,
                 *       "secure": true,
                 *       "user": "alice@example.com",
                 *       "folder": "Archive/2024",
                 *       "maxMessages": 1000,
                 *       "pass": "correct-horse-battery-staple"
                 *     }
                 */
                "application/json": components["schemas"]["ImportImapDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "import_imap-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportImapResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "import.listUploads": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "size": 5368709120,
                     *         "offset": 16777216,
                     *         "chunkBytes": 16777216,
                     *         "expires_at": "2024-03-01T08:00:00.000Z",
                     *         "filename": "All mail.mbox"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ResumableUploadResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "import.createUpload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "Takeout/All mail.mbox",
                 *       "size": 5368709120
                 *     }
                 */
                "application/json": components["schemas"]["CreateUploadDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "size": 5368709120,
                     *       "offset": 16777216,
                     *       "chunkBytes": 16777216,
                     *       "expires_at": "2024-03-01T08:00:00.000Z",
                     *       "filename": "All mail.mbox"
                     *     }
                     */
                    "application/json": components["schemas"]["ResumableUploadResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Payload Too Large: `payload-too-large`, `quota-exceeded`, `upload-too-large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs`, `too-many-uploads` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import.getUpload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An upload in chunks, of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "size": 5368709120,
                     *       "offset": 16777216,
                     *       "chunkBytes": 16777216,
                     *       "expires_at": "2024-03-01T08:00:00.000Z",
                     *       "filename": "All mail.mbox"
                     *     }
                     */
                    "application/json": components["schemas"]["ResumableUploadResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `upload-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "import.deleteUpload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An upload in chunks, of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `upload-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "import.uploadChunk": {
        parameters: {
            query?: never;
            header: {
                /** @description Where the chunk begins: the number of bytes sent before. */
                "Upload-Offset": number;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An upload in chunks, of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "size": 5368709120,
                     *       "offset": 16777216,
                     *       "chunkBytes": 16777216,
                     *       "expires_at": "2024-03-01T08:00:00.000Z",
                     *       "filename": "All mail.mbox"
                     *     }
                     */
                    "application/json": components["schemas"]["ResumableUploadResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `upload-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout: `request-timeout` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `import-file-missing`, `upload-busy`, `upload-offset-wrong` */
            409: {
                headers: {
                    "Upload-Offset": components["headers"]["Upload-Offset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Payload Too Large: `upload-chunk-too-large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type: `unsupported-media-type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import.completeUpload": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An upload in chunks, of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "import_mbox-42"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `upload-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused`, `import-file-missing`, `upload-incomplete` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "restore.listRestores": {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                /** @description Restores per page; above 100 it is lowered to 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "status": "done",
                     *           "targetAccountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "imap": {
                     *             "port": 993,
                     *             "root": "Restored/2026",
                     *             "host": "imap.example.com",
                     *             "secure": true,
                     *             "user": "alice@example.com"
                     *           },
                     *           "labels": "original",
                     *           "addLabel": "Restored",
                     *           "onDifferent": "skip",
                     *           "mails": 1310,
                     *           "bytes": 91226112,
                     *           "encrypted": 0,
                     *           "tooLarge": 0,
                     *           "units": 65500,
                     *           "minutes": 11,
                     *           "createdAt": "2026-02-28T12:34:56.000Z",
                     *           "expiresAt": "2026-03-01T12:34:56.000Z",
                     *           "verify": true,
                     *           "labelsToCreate": [
                     *             "Work/2020"
                     *           ],
                     *           "jobId": "restore_mails-42"
                     *         }
                     *       ],
                     *       "next": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                     *     }
                     */
                    "application/json": components["schemas"]["RestorePageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "restore.planRestore": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "select": {
                 *         "filter": {
                 *           "q": "invoice"
                 *         }
                 *       },
                 *       "target": {
                 *         "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *       },
                 *       "labels": "original",
                 *       "addLabel": "Restored",
                 *       "onDifferent": "skip",
                 *       "verify": true
                 *     }
                 */
                "application/json": components["schemas"]["PlanRestoreDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "restoreId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "jobId": "restore_mails-42"
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "restore.getRestore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A restore of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                restoreId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "done",
                     *       "targetAccountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "imap": {
                     *         "port": 993,
                     *         "root": "Restored/2026",
                     *         "host": "imap.example.com",
                     *         "secure": true,
                     *         "user": "alice@example.com"
                     *       },
                     *       "labels": "original",
                     *       "addLabel": "Restored",
                     *       "onDifferent": "skip",
                     *       "mails": 1310,
                     *       "bytes": 91226112,
                     *       "encrypted": 0,
                     *       "tooLarge": 0,
                     *       "units": 65500,
                     *       "minutes": 11,
                     *       "createdAt": "2026-02-28T12:34:56.000Z",
                     *       "expiresAt": "2026-03-01T12:34:56.000Z",
                     *       "counts": {
                     *         "waiting": 0,
                     *         "untrashed": 120,
                     *         "inserted": 1180,
                     *         "alreadyThere": 8,
                     *         "sameIdDiffers": 1,
                     *         "tooLarge": 0,
                     *         "encrypted": 0,
                     *         "damaged": 0,
                     *         "failed": 1
                     *       },
                     *       "notes": {
                     *         "dateDiffers": 0,
                     *         "labelRefused": 0,
                     *         "threadNotKept": 0,
                     *         "fieldsAdded": 0,
                     *         "bytesDiffer": 0
                     *       },
                     *       "sample": [
                     *         {
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "sizeBytes": 48213,
                     *           "subject": "Your invoice",
                     *           "sender": "Alice <alice@example.com>"
                     *         }
                     *       ],
                     *       "verify": true,
                     *       "labelsToCreate": [
                     *         "Work/2020"
                     *       ],
                     *       "jobId": "restore_mails-42"
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `restore-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "restore.listRestoreItems": {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Mails per page; above 100 it is lowered to 100. */
                limit?: number;
                /** @description Only mails of which this has become. */
                outcome?: "untrashed" | "inserted" | "already-there" | "same-id-differs" | "too-large" | "encrypted" | "damaged" | "failed";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A restore of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                restoreId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "position": 0,
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "state": "done",
                     *           "outcome": "inserted",
                     *           "notes": [],
                     *           "reason": "copy-missing",
                     *           "targetId": "18c2f1a9b3d4e5f6",
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "subject": "Your invoice",
                     *           "sender": "Alice <alice@example.com>",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "sizeBytes": 48213
                     *         }
                     *       ],
                     *       "next": 99
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreItemsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `restore-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "restore.downloadRestoreReport": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A restore of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                restoreId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"position":0,"mailId":"01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d","state":"done","outcome":"inserted","notes":[]} */
                    "application/x-ndjson": string;
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `restore-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "restore.startRestore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A restore of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                restoreId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "restoreId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "jobId": "restore_mails-42"
                     *     }
                     */
                    "application/json": components["schemas"]["RestoreJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `restore-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `dry-run-missing`, `encryption-not-configured`, `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required`, `mails-encrypted`, `restore-done`, `restore-running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "retention.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *         "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *         "name": "Old promotions",
                     *         "label": "CATEGORY_PROMOTIONS",
                     *         "max_age_days": 365,
                     *         "last_run_at": "2025-11-21T02:11:00.000Z",
                     *         "deleted_count": 1200,
                     *         "created_at": "2025-11-20T09:30:00.000Z",
                     *         "updated_at": "2025-11-20T09:30:00.000Z",
                     *         "is_active": true,
                     *         "include_offloaded": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RetentionPolicyResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "retention.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Old promotions",
                 *       "mailboxAccountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *       "label": "CATEGORY_PROMOTIONS",
                 *       "maxAgeDays": 365,
                 *       "isActive": true,
                 *       "includeOffloaded": false
                 *     }
                 */
                "application/json": components["schemas"]["CreateRetentionPolicyDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *       "name": "Old promotions",
                     *       "label": "CATEGORY_PROMOTIONS",
                     *       "max_age_days": 365,
                     *       "last_run_at": "2025-11-21T02:11:00.000Z",
                     *       "deleted_count": 1200,
                     *       "created_at": "2025-11-20T09:30:00.000Z",
                     *       "updated_at": "2025-11-20T09:30:00.000Z",
                     *       "is_active": true,
                     *       "include_offloaded": false
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionPolicyResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `retention-policy-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "retention.run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policiesRun": 2,
                     *       "totalDeleted": 1200,
                     *       "warnings": [
                     *         {
                     *           "policyId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "code": "mailbox-disconnected",
                     *           "message": "The mailbox could not be asked which label is named \\Work\\."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionRunResponse"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "retention.preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A retention policy of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1200,
                     *       "bytes": 48000000,
                     *       "oldest": "2015-03-01T08:00:00.000Z",
                     *       "newest": "2024-11-20T17:45:00.000Z",
                     *       "warnings": [
                     *         {
                     *           "policyId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "accountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "code": "mailbox-disconnected",
                     *           "message": "The mailbox could not be asked which label is named \\Work\\."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionPreviewResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `retention-policy-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "retention.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A retention policy of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                policyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Old promotions",
                 *       "mailboxAccountId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *       "label": "CATEGORY_PROMOTIONS",
                 *       "maxAgeDays": 365,
                 *       "isActive": true,
                 *       "includeOffloaded": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRetentionPolicyDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *       "name": "Old promotions",
                     *       "label": "CATEGORY_PROMOTIONS",
                     *       "max_age_days": 365,
                     *       "last_run_at": "2025-11-21T02:11:00.000Z",
                     *       "deleted_count": 1200,
                     *       "created_at": "2025-11-20T09:30:00.000Z",
                     *       "updated_at": "2025-11-20T09:30:00.000Z",
                     *       "is_active": true,
                     *       "include_offloaded": false
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionPolicyResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `retention-policy-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "retention.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A retention policy of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                policyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `retention-policy-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "archive.getIntegrity": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 48211,
                     *       "checkedThisWeek": 48211,
                     *       "lastCheckedAt": "2026-03-01T02:10:00.000Z",
                     *       "damagedCount": 1,
                     *       "damaged": [
                     *         {
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "kind": "altered",
                     *           "foundAt": "2026-03-01T08:00:00.000Z",
                     *           "subject": "Annual report"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveIntegrityResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.checkIntegrity": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "check_integrity-42"
                     *     }
                     */
                    "application/json": components["schemas"]["IntegrityCheckResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "coverage.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 20000,
                     *       "verified": 19500,
                     *       "archived": 300,
                     *       "excluded": 150,
                     *       "failed": 2,
                     *       "pending": 48,
                     *       "bytes": 1048576000,
                     *       "asOf": {
                     *         "historyId": "1234567",
                     *         "at": "2026-03-01T08:00:00.000Z"
                     *       },
                     *       "exact": false,
                     *       "incompleteFolders": [],
                     *       "excludedBy": [
                     *         {
                     *           "count": 12,
                     *           "exclusion": "spam"
                     *         }
                     *       ],
                     *       "failedBy": [
                     *         {
                     *           "count": 2,
                     *           "reason": "copy-missing"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "total": 20000,
                     *         "agreed": true,
                     *         "at": "2026-03-01T08:00:00.000Z"
                     *       },
                     *       "onlyInArchive": {
                     *         "count": 340,
                     *         "bytes": 48213000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CoverageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `coverage-off` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "coverage.listMessages": {
        parameters: {
            query?: {
                /** @description Only messages of this class. */
                class?: components["schemas"]["CoverageClass"];
                /** @description Messages per page; above 100 it is lowered to 100. */
                limit?: number;
                /** @description Only messages that this exclusion keeps out: one of `excludedBy`. */
                exclusion?: string;
                /** @description Only messages that failed for this reason: one of `failedBy`. */
                reason?: string;
                /** @description The `next` of the page before; without, the list begins. */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "next": "MTkzMmM1ZTdkNWI3YzNhOQ",
                     *       "items": [
                     *         {
                     *           "class": "verified",
                     *           "exclusion": "spam",
                     *           "reason": "copy-missing",
                     *           "attempts": 0,
                     *           "nextTryAt": "2026-03-01T08:30:00.000Z",
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "verifiedOn": "2026-02-27",
                     *           "messageId": "18c2f1a9b3d4e5f6",
                     *           "labels": [
                     *             "INBOX",
                     *             "UNREAD"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CoveredMessagePageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `coverage-off` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "coverage.getMessage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "class": "verified",
                     *       "exclusion": "spam",
                     *       "reason": "copy-missing",
                     *       "attempts": 0,
                     *       "nextTryAt": "2026-03-01T08:30:00.000Z",
                     *       "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "verifiedOn": "2026-02-27",
                     *       "messageId": "18c2f1a9b3d4e5f6",
                     *       "labels": [
                     *         "INBOX",
                     *         "UNREAD"
                     *       ],
                     *       "text": "The message waits to be archived."
                     *     }
                     */
                    "application/json": components["schemas"]["ExplainedMessageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `coverage-off` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "coverage.askDeletable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messageIds": [
                 *         "18c2f1a9b3d4e5f6"
                 *       ],
                 *       "query": "older_than:2y larger:5M"
                 *     }
                 */
                "application/json": components["schemas"]["AskDeletableDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "yes": 980,
                     *       "no": 20,
                     *       "asOf": {
                     *         "historyId": "1234567",
                     *         "at": "2026-03-01T08:00:00.000Z"
                     *       },
                     *       "messages": [
                     *         {
                     *           "reasons": [],
                     *           "notes": [
                     *             "unread"
                     *           ],
                     *           "messageId": "18c2f1a9b3d4e5f6",
                     *           "deletable": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeletableResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported`, `too-many-messages` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `coverage-off`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "savedSearches.list": {
        parameters: {
            query?: {
                /** @description Only searches of this scope. */
                scope?: components["schemas"]["SavedSearchScope"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *         "name": "Invoices this year",
                     *         "scope": "mailbox",
                     *         "query": "subject:invoice has:attachment newer_than:1y",
                     *         "icon": "invoice",
                     *         "sort_order": 0,
                     *         "created_at": "2025-11-21T09:30:00.000Z",
                     *         "updated_at": "2025-11-21T09:30:00.000Z",
                     *         "color": "#3b82f6"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SavedSearchResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "savedSearches.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoices this year",
                 *       "query": "subject:invoice has:attachment newer_than:1y",
                 *       "icon": "invoice",
                 *       "color": "#3b82f6",
                 *       "scope": "mailbox"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSavedSearchDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "name": "Invoices this year",
                     *       "scope": "mailbox",
                     *       "query": "subject:invoice has:attachment newer_than:1y",
                     *       "icon": "invoice",
                     *       "sort_order": 0,
                     *       "created_at": "2025-11-21T09:30:00.000Z",
                     *       "updated_at": "2025-11-21T09:30:00.000Z",
                     *       "color": "#3b82f6"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedSearchResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `saved-search-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "savedSearches.reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *         "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReorderSavedSearchesDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["SavedSearchesDoneResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `saved-search-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "savedSearches.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A saved search of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                searchId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Invoices this year",
                 *       "query": "subject:invoice has:attachment newer_than:1y",
                 *       "icon": "invoice",
                 *       "color": "#3b82f6",
                 *       "scope": "mailbox",
                 *       "sort_order": 3
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSavedSearchDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "name": "Invoices this year",
                     *       "scope": "mailbox",
                     *       "query": "subject:invoice has:attachment newer_than:1y",
                     *       "icon": "invoice",
                     *       "sort_order": 0,
                     *       "created_at": "2025-11-21T09:30:00.000Z",
                     *       "updated_at": "2025-11-21T09:30:00.000Z",
                     *       "color": "#3b82f6"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedSearchResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `saved-search-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "savedSearches.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A saved search of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                searchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["SavedSearchesDoneResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `saved-search-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.listTemplates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "category": "cleanup",
                     *         "id": "trash-old-promotions",
                     *         "name": "Trash old promotions",
                     *         "description": "Moves promotions older than 6 months to the trash, except starred and important ones.",
                     *         "dto": {
                     *           "schedule": null,
                     *           "name": "Trash old promotions",
                     *           "conditions": [
                     *             {
                     *               "field": "from",
                     *               "operator": "contains",
                     *               "value": "newsletter@shop.example"
                     *             }
                     *           ],
                     *           "action": {
                     *             "type": "label",
                     *             "labelId": "Label_12"
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RuleTemplateResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *         "description": "Nobody reads them after a month",
                     *         "schedule": "daily",
                     *         "last_run_at": "2025-06-01T08:00:00.000Z",
                     *         "last_run_count": 42,
                     *         "created_at": "2025-05-01T08:00:00.000Z",
                     *         "updated_at": "2025-05-01T08:00:00.000Z",
                     *         "name": "Old newsletters",
                     *         "conditions": [
                     *           {
                     *             "field": "from",
                     *             "operator": "contains",
                     *             "value": "newsletter@shop.example"
                     *           }
                     *         ],
                     *         "action": {
                     *           "type": "label",
                     *           "labelId": "Label_12"
                     *         },
                     *         "is_active": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RuleResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Old newsletters",
                 *       "description": "Nobody reads them after a month",
                 *       "conditions": [
                 *         {
                 *           "field": "from",
                 *           "operator": "contains",
                 *           "value": "newsletter@shop.example"
                 *         }
                 *       ],
                 *       "action": {
                 *         "type": "label",
                 *         "labelId": "Label_12"
                 *       },
                 *       "schedule": "daily",
                 *       "is_active": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateRuleDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "description": "Nobody reads them after a month",
                     *       "schedule": "daily",
                     *       "last_run_at": "2025-06-01T08:00:00.000Z",
                     *       "last_run_count": 42,
                     *       "created_at": "2025-05-01T08:00:00.000Z",
                     *       "updated_at": "2025-05-01T08:00:00.000Z",
                     *       "name": "Old newsletters",
                     *       "conditions": [
                     *         {
                     *           "field": "from",
                     *           "operator": "contains",
                     *           "value": "newsletter@shop.example"
                     *         }
                     *       ],
                     *       "action": {
                     *         "type": "label",
                     *         "labelId": "Label_12"
                     *       },
                     *       "is_active": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required`, `rule-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "rules.preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conditions": [
                 *         {
                 *           "field": "from",
                 *           "operator": "contains",
                 *           "value": "newsletter@shop.example"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PreviewRuleDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "estimatedCount": 1250,
                     *       "starredCount": 2,
                     *       "importantCount": 7,
                     *       "query": "from:(news) older_than:30d"
                     *     }
                     */
                    "application/json": components["schemas"]["RulePreviewResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "rules.createFromTemplate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "templateId": "trash-old-promotions"
                 *     }
                 */
                "application/json": components["schemas"]["CreateRuleFromTemplateDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "description": "Nobody reads them after a month",
                     *       "schedule": "daily",
                     *       "last_run_at": "2025-06-01T08:00:00.000Z",
                     *       "last_run_count": 42,
                     *       "created_at": "2025-05-01T08:00:00.000Z",
                     *       "updated_at": "2025-05-01T08:00:00.000Z",
                     *       "name": "Old newsletters",
                     *       "conditions": [
                     *         {
                     *           "field": "from",
                     *           "operator": "contains",
                     *           "value": "newsletter@shop.example"
                     *         }
                     *       ],
                     *       "action": {
                     *         "type": "label",
                     *         "labelId": "Label_12"
                     *       },
                     *       "is_active": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `rule-template-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `rule-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A rule of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Old newsletters",
                 *       "description": "Nobody reads them after a month",
                 *       "conditions": [
                 *         {
                 *           "field": "from",
                 *           "operator": "contains",
                 *           "value": "newsletter@shop.example"
                 *         }
                 *       ],
                 *       "action": {
                 *         "type": "label",
                 *         "labelId": "Label_12"
                 *       },
                 *       "schedule": "daily",
                 *       "is_active": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRuleDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "description": "Nobody reads them after a month",
                     *       "schedule": "daily",
                     *       "last_run_at": "2025-06-01T08:00:00.000Z",
                     *       "last_run_count": 42,
                     *       "created_at": "2025-05-01T08:00:00.000Z",
                     *       "updated_at": "2025-05-01T08:00:00.000Z",
                     *       "name": "Old newsletters",
                     *       "conditions": [
                     *         {
                     *           "field": "from",
                     *           "operator": "contains",
                     *           "value": "newsletter@shop.example"
                     *         }
                     *       ],
                     *       "action": {
                     *         "type": "label",
                     *         "labelId": "Label_12"
                     *       },
                     *       "is_active": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `rule-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "rules.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A rule of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `rule-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.toggle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A rule of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "description": "Nobody reads them after a month",
                     *       "schedule": "daily",
                     *       "last_run_at": "2025-06-01T08:00:00.000Z",
                     *       "last_run_count": 42,
                     *       "created_at": "2025-05-01T08:00:00.000Z",
                     *       "updated_at": "2025-05-01T08:00:00.000Z",
                     *       "name": "Old newsletters",
                     *       "conditions": [
                     *         {
                     *           "field": "from",
                     *           "operator": "contains",
                     *           "value": "newsletter@shop.example"
                     *         }
                     *       ],
                     *       "action": {
                     *         "type": "label",
                     *         "labelId": "Label_12"
                     *       },
                     *       "is_active": true
                     *     }
                     */
                    "application/json": components["schemas"]["RuleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `rule-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "rules.run": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A rule of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "run_rule-42",
                     *       "message": "Rule run started"
                     *     }
                     */
                    "application/json": components["schemas"]["RuleRunResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `rule-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.listSigningKeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "createdAt": "2025-11-21T09:30:00.000Z",
                     *         "keyId": "6f1ed002ab5595859014ebf0951522d9",
                     *         "publicKey": "-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA…\\n-----END PUBLIC KEY-----\\n"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SigningKeyResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.listPlans": {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                /** @description Items per page; above 100 it is lowered to 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "status": "ready",
                     *           "select": {
                     *             "messageIds": [
                     *               "1932c5e7d5b7c3a9"
                     *             ],
                     *             "query": "from:newsletter@example.org",
                     *             "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *             "olderThanDays": 365,
                     *             "largerThan": 5000000
                     *           },
                     *           "mode": "strict",
                     *           "allow": {
                     *             "starred": false,
                     *             "important": false,
                     *             "unread": true
                     *           },
                     *           "isScheduled": false,
                     *           "selected": 5000,
                     *           "offloadable": 4780,
                     *           "blocked": 220,
                     *           "blockedBy": {
                     *             "starred": 20,
                     *             "not-archived": 200
                     *           },
                     *           "trashed": 0,
                     *           "bytes": 2040109465,
                     *           "spaceFreedAfterDays": 30,
                     *           "encrypted": 0,
                     *           "starred": 0,
                     *           "important": 0,
                     *           "oldest": "2025-11-21T09:30:00.000Z",
                     *           "newest": "2025-11-21T09:30:00.000Z",
                     *           "sample": [
                     *             {
                     *               "state": "ready",
                     *               "reason": null,
                     *               "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *               "subject": "Your invoice",
                     *               "sender": "Shop <shop@example.org>",
                     *               "date": "2025-11-21T09:30:00.000Z",
                     *               "sizeBytes": 48210,
                     *               "sha256": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                     *               "providerSha256": null,
                     *               "verifiedAt": "2025-11-21T09:30:00.000Z",
                     *               "comparedAt": "2025-11-21T09:30:00.000Z",
                     *               "trashedAt": "2025-11-21T09:30:00.000Z",
                     *               "messageId": "1932c5e7d5b7c3a9"
                     *             }
                     *           ],
                     *           "units": 96000,
                     *           "minutes": 16,
                     *           "digest": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                     *           "expiresAt": "2025-11-21T09:30:00.000Z",
                     *           "planJobId": "plan_offload-42",
                     *           "jobId": "offload_messages-43",
                     *           "createdAt": "2025-11-21T09:30:00.000Z",
                     *           "startedAt": "2025-11-21T09:30:00.000Z",
                     *           "endedAt": "2025-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadPlansResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "offload.createPlan": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "select": {
                 *         "messageIds": [
                 *           "1932c5e7d5b7c3a9"
                 *         ],
                 *         "query": "from:newsletter@example.org",
                 *         "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *         "olderThanDays": 365,
                 *         "largerThan": 5000000
                 *       },
                 *       "mode": "strict",
                 *       "allow": {
                 *         "starred": false,
                 *         "important": false,
                 *         "unread": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateOffloadPlanDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "planId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "jobId": "plan_offload-42"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadPlanStartedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.getPlan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "status": "ready",
                     *       "select": {
                     *         "messageIds": [
                     *           "1932c5e7d5b7c3a9"
                     *         ],
                     *         "query": "from:newsletter@example.org",
                     *         "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "olderThanDays": 365,
                     *         "largerThan": 5000000
                     *       },
                     *       "mode": "strict",
                     *       "allow": {
                     *         "starred": false,
                     *         "important": false,
                     *         "unread": true
                     *       },
                     *       "isScheduled": false,
                     *       "selected": 5000,
                     *       "offloadable": 4780,
                     *       "blocked": 220,
                     *       "blockedBy": {
                     *         "starred": 20,
                     *         "not-archived": 200
                     *       },
                     *       "trashed": 0,
                     *       "bytes": 2040109465,
                     *       "spaceFreedAfterDays": 30,
                     *       "encrypted": 0,
                     *       "starred": 0,
                     *       "important": 0,
                     *       "oldest": "2025-11-21T09:30:00.000Z",
                     *       "newest": "2025-11-21T09:30:00.000Z",
                     *       "sample": [
                     *         {
                     *           "state": "ready",
                     *           "reason": null,
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "subject": "Your invoice",
                     *           "sender": "Shop <shop@example.org>",
                     *           "date": "2025-11-21T09:30:00.000Z",
                     *           "sizeBytes": 48210,
                     *           "sha256": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                     *           "providerSha256": null,
                     *           "verifiedAt": "2025-11-21T09:30:00.000Z",
                     *           "comparedAt": "2025-11-21T09:30:00.000Z",
                     *           "trashedAt": "2025-11-21T09:30:00.000Z",
                     *           "messageId": "1932c5e7d5b7c3a9"
                     *         }
                     *       ],
                     *       "units": 96000,
                     *       "minutes": 16,
                     *       "digest": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                     *       "expiresAt": "2025-11-21T09:30:00.000Z",
                     *       "planJobId": "plan_offload-42",
                     *       "jobId": "offload_messages-43",
                     *       "createdAt": "2025-11-21T09:30:00.000Z",
                     *       "startedAt": "2025-11-21T09:30:00.000Z",
                     *       "endedAt": "2025-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadPlanResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.deletePlan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `plan-done`, `plan-running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.listPlanMessages": {
        parameters: {
            query?: {
                /** @description Only messages in this state. */
                state?: components["schemas"]["OffloadItemState"];
                /** @description `next` of the page before. */
                after?: number;
                /** @description Messages per page; above 100 it is lowered to 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "state": "ready",
                     *           "reason": null,
                     *           "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "subject": "Your invoice",
                     *           "sender": "Shop <shop@example.org>",
                     *           "date": "2025-11-21T09:30:00.000Z",
                     *           "sizeBytes": 48210,
                     *           "sha256": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                     *           "providerSha256": null,
                     *           "verifiedAt": "2025-11-21T09:30:00.000Z",
                     *           "comparedAt": "2025-11-21T09:30:00.000Z",
                     *           "trashedAt": "2025-11-21T09:30:00.000Z",
                     *           "messageId": "1932c5e7d5b7c3a9"
                     *         }
                     *       ],
                     *       "next": 49
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadMessagesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "offload.confirmPlan": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digest": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                 *       "count": 4780
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmOffloadPlanDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "offload_messages-43"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadStartedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `encryption-not-configured`, `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required`, `plan-differs`, `plan-done`, `plan-expired`, `plan-not-ready`, `plan-running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "offload.listReceipts": {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: string;
                /** @description Items per page; above 100 it is lowered to 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "planId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "createdAt": "2025-11-21T09:30:00.000Z",
                     *           "statement": "{\\format\\:\\mailroom-offload-receipt-1\\}",
                     *           "signature": "4J8C0vC3Zy1mQ0Z6c3R1dnd4eXo=",
                     *           "keyId": "6f1ed002ab5595859014ebf0951522d9"
                     *         }
                     *       ],
                     *       "next": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadReceiptsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "offload.getReceipt": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "statement": "{\\format\\:\\mailroom-offload-receipt-1\\}",
                     *       "signature": "4J8C0vC3Zy1mQ0Z6c3R1dnd4eXo=",
                     *       "keyId": "6f1ed002ab5595859014ebf0951522d9"
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadReceiptResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found`, `offload-receipt-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.getReceiptItems": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An offload plan of the account.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                planId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A line for each message */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"messageId":"18c2f1a9b3d4e5f6","messageIdHeader":"<1@example.com>","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","size":48210,"mailId":"01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d","verifiedAt":"2026-11-20T10:00:00.000Z","comparedAt":"2026-11-20T10:00:01.000Z","trashedAt":"2026-11-20T10:00:02.000Z"} */
                    "application/x-ndjson": string;
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-plan-not-found`, `offload-receipt-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.getSchedule": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "select": {
                     *         "messageIds": [
                     *           "1932c5e7d5b7c3a9"
                     *         ],
                     *         "query": "from:newsletter@example.org",
                     *         "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "olderThanDays": 365,
                     *         "largerThan": 5000000
                     *       },
                     *       "mode": "strict",
                     *       "graceDays": 90,
                     *       "maxPerNight": 1000,
                     *       "updatedAt": "2025-11-21T09:30:00.000Z",
                     *       "isActive": true
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadScheduleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `offload-schedule-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "offload.setSchedule": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "select": {
                 *         "messageIds": [
                 *           "1932c5e7d5b7c3a9"
                 *         ],
                 *         "query": "from:newsletter@example.org",
                 *         "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                 *         "olderThanDays": 365,
                 *         "largerThan": 5000000
                 *       },
                 *       "mode": "strict",
                 *       "graceDays": 90,
                 *       "maxPerNight": 1000,
                 *       "isActive": true
                 *     }
                 */
                "application/json": components["schemas"]["SetOffloadScheduleDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "select": {
                     *         "messageIds": [
                     *           "1932c5e7d5b7c3a9"
                     *         ],
                     *         "query": "from:newsletter@example.org",
                     *         "ruleId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "olderThanDays": 365,
                     *         "largerThan": 5000000
                     *       },
                     *       "mode": "strict",
                     *       "graceDays": 90,
                     *       "maxPerNight": 1000,
                     *       "updatedAt": "2025-11-21T09:30:00.000Z",
                     *       "isActive": true
                     *     }
                     */
                    "application/json": components["schemas"]["OffloadScheduleResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "newsletters.scan": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "scan_unsubscribe-42",
                     *       "message": "Newsletter scan started"
                     *     }
                     */
                    "application/json": components["schemas"]["NewsletterScanResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "newsletters.list": {
        parameters: {
            query?: {
                /** @description Number of senders to list, those with the most messages first; higher values count as 2,000. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "count": 42,
                     *         "totalSizeBytes": 1843200,
                     *         "unsubscribeUrl": "https://shop.example/unsubscribe?u=1a2b",
                     *         "unsubscribeMailto": "mailto:leave@shop.example?subject=unsubscribe",
                     *         "lastDate": "2026-05-04T09:30:00.000Z",
                     *         "sender": "Shop News <news@shop.example>",
                     *         "email": "news@shop.example",
                     *         "oneClick": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NewsletterResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "newsletters.listMessages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description Address of the sender, matched exactly and in any case
                 * @example news@shop.example
                 */
                senderEmail: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 42,
                     *       "starredCount": 1,
                     *       "importantCount": 0,
                     *       "messageIds": [
                     *         "1932c5e7d5b7c3a9"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NewsletterMessagesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "newsletters.delete": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description Address of the sender, matched exactly and in any case
                 * @example news@shop.example
                 */
                senderEmail: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "permanent": false
                 *     }
                 */
                "application/json": components["schemas"]["DeleteNewslettersDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "bulk_operation-42",
                     *       "count": 42,
                     *       "starredCount": 1,
                     *       "importantCount": 0
                     *     }
                     */
                    "application/json": components["schemas"]["NewsletterDeletionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "dashboard.getMailboxStats": {
        parameters: {
            query?: {
                /** @description Length of the top lists; higher values count as 100. */
                limit?: number;
                /** @description IANA name of the time zone of the timeline's months. */
                tz?: string;
                /** @description `newest` covers the newest 500 messages, `all` everything that is indexed so far. */
                scope?: "newest" | "all";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalMessages": 500,
                     *       "unreadCount": 61,
                     *       "totalSizeBytes": 48211377,
                     *       "bySender": [
                     *         {
                     *           "count": 42,
                     *           "sizeBytes": 1804211,
                     *           "sender": "Grace Hopper <grace@example.org>"
                     *         }
                     *       ],
                     *       "biggestMails": [
                     *         {
                     *           "sizeEstimate": 18804211,
                     *           "date": "2025-11-21T08:13:52.000Z",
                     *           "id": "1932c5e7d5b7c3a9",
                     *           "subject": "Photos of the weekend",
                     *           "from": "Grace Hopper <grace@example.org>"
                     *         }
                     *       ],
                     *       "byLabel": [
                     *         {
                     *           "count": 310,
                     *           "label": "INBOX"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "count": 64,
                     *           "month": "2025-11"
                     *         }
                     *       ],
                     *       "profile": {
                     *         "messagesTotal": 48211,
                     *         "emailAddress": "ada@example.org"
                     *       },
                     *       "coverage": {
                     *         "indexed": 12400,
                     *         "total": 48211,
                     *         "complete": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MailboxStatsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "dashboard.getArchiveStats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_mails": 48211,
                     *       "total_size": 2104882113,
                     *       "last_archived_at": "2025-11-21T08:13:52.000Z",
                     *       "bySender": [
                     *         {
                     *           "sender": "Grace Hopper <grace@example.org>",
                     *           "count": "1204",
                     *           "total_size": "88104221"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveStatsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "analytics.dismissSuggestion": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A cleanup suggestion for an account of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                suggestionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["DismissedResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `suggestion-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "analytics.getHeatmap": {
        parameters: {
            query?: {
                /** @description 1 asks the provider what is new and computes the figures anew; otherwise they may be up to 15 minutes old. */
                refresh?: "1" | "0" | "true" | "false";
                /** @description IANA name of the time zone of days and hours. */
                tz?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "day": 0,
                     *         "hour": 9,
                     *         "count": 12
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HeatmapCellResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "analytics.getSenderScores": {
        parameters: {
            query?: {
                /** @description 1 asks the provider what is new and computes the figures anew; otherwise they may be up to 15 minutes old. */
                refresh?: "1" | "0" | "true" | "false";
                /** @description Number of senders to list; higher values count as 2,000. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "sender": "Shop News <news@shop.example>",
                     *         "emailCount": 64,
                     *         "totalSizeBytes": 7340032,
                     *         "unreadCount": 60,
                     *         "readRate": 0.0625,
                     *         "clutterScore": 77,
                     *         "hasUnsubscribe": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SenderScoreResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "analytics.getCleanupSuggestions": {
        parameters: {
            query?: {
                /** @description 1 asks the provider what is new and computes the figures anew; otherwise they may be up to 15 minutes old. */
                refresh?: "1" | "0" | "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "type": "bulk_unread",
                     *         "title": "60 unread mails from Shop News",
                     *         "description": "60 of 64 mails from this sender are unread.",
                     *         "sender": "Shop News <news@shop.example>",
                     *         "emailCount": 60,
                     *         "totalSizeBytes": 7340032,
                     *         "query": "from:(news@shop.example) is:unread",
                     *         "isDismissed": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SuggestionResponse"][];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "analytics.getInboxZero": {
        parameters: {
            query?: {
                /** @description 1 asks the provider what is new and computes the figures anew; otherwise they may be up to 15 minutes old. */
                refresh?: "1" | "0" | "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streak": 3,
                     *       "bestStreak": 12,
                     *       "current": {
                     *         "inboxCount": 42,
                     *         "unreadCount": 7
                     *       },
                     *       "history": [
                     *         {
                     *           "inboxCount": 42,
                     *           "unreadCount": 7,
                     *           "date": "2026-03-09"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InboxZeroResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "analytics.takeInboxSnapshot": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "inboxCount": 42,
                     *       "unreadCount": 7
                     *     }
                     */
                    "application/json": components["schemas"]["InboxCountsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "attachments.listArchivedAttachments": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description Sort by the size of the decoded content, or by the date of the mail. */
                sort?: "size" | "date";
                /** @description `DESC` lists the largest or newest first, `ASC` the smallest or oldest. */
                order?: "desc" | "asc";
                /**
                 * @description Search file names and the mail's subject and sender. Accents and case do not matter; every word must be part of
                 *     one of them.
                 */
                q?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1234,
                     *       "totalSizeBytes": 48211377,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "attachments": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "size_bytes": 30211,
                     *           "mail_date": "2024-02-29T12:34:56.000Z",
                     *           "archived_mail_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "mail_subject": "Annual report",
                     *           "mail_sender": "Alice Example <alice@example.com>",
                     *           "mailbox_message_id": "18c2f1a9b3d4e5f6",
                     *           "file_path": "<userId>/<accountId>/2024/02/<mailId>.eml#2/report.pdf",
                     *           "filename": "report.pdf",
                     *           "mime_type": "application/pdf"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchivedAttachmentPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "attachments.listLiveAttachments": {
        parameters: {
            query?: {
                /** @description Read attachments of at most this many messages above 100 KB, newest first; higher values count as 500. */
                maxResults?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalSizeBytes": 48211377,
                     *       "attachments": [
                     *         {
                     *           "sizeBytes": 302113,
                     *           "mailDate": "2025-11-21T08:13:52.000Z",
                     *           "mailSizeEstimate": 418804,
                     *           "messageId": "1932c5e7d5b7c3a9",
                     *           "partId": "1",
                     *           "filename": "report.pdf",
                     *           "mimeType": "application/pdf",
                     *           "mailSubject": "Annual report",
                     *           "mailSender": "Grace Hopper <grace@example.org>"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LiveAttachmentsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.getTrackingStats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trackedMessages": 128,
                     *       "totalTrackers": 310,
                     *       "topDomains": [
                     *         {
                     *           "count": 42,
                     *           "domain": "shop.us1.list-manage.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingStatsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "privacy.listTracking": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 128,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "items": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9b2f-0d6f0e2a4b11",
                     *           "date": "2026-05-04T09:30:00.000Z",
                     *           "tracker_count": 2,
                     *           "scanned_at": "2026-05-04T10:00:00.000Z",
                     *           "mailbox_message_id": "1932c5e7d5b7c3a9",
                     *           "subject": "Our best deals",
                     *           "sender": "Shop News <news@shop.example>",
                     *           "trackers": [
                     *             {
                     *               "type": "pixel",
                     *               "url": "https://shop.us1.list-manage.com/track/open.php?u=4c77&id=a1&e=9",
                     *               "params": [
                     *                 "utm_source",
                     *                 "utm_medium",
                     *                 "mc_eid"
                     *               ],
                     *               "domain": "shop.us1.list-manage.com"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.startTrackingScan": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "maxMessages": 1000
                 *     }
                 */
                "application/json": components["schemas"]["StartTrackingScanDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "scan_tracking-42",
                     *       "message": "Tracking scan started"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingScanResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `idempotency-key-reused`, `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "privacy.getPiiStats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalFindings": 42,
                     *       "affectedMails": 17,
                     *       "byType": [
                     *         {
                     *           "type": "iban",
                     *           "count": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PiiStatsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "privacy.listPiiFindings": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description Only findings of this type. */
                piiType?: "credit_card" | "iban" | "french_ssn" | "password_plain" | "phone_fr";
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 17,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "items": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f",
                     *           "archived_mail_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "pii_type": "credit_card",
                     *           "count": 1,
                     *           "scanned_at": "2024-03-01T08:00:00.000Z",
                     *           "date": "2024-02-29T12:34:56.000Z",
                     *           "snippet": "**** **** **** 4242",
                     *           "subject": "Card for the booking",
                     *           "sender": "Alice Example <alice@example.com>"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PiiFindingPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.startPiiScan": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "scan_pii-42",
                     *       "message": "Scan for personal data started"
                     *     }
                     */
                    "application/json": components["schemas"]["PiiScanResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "privacy.setUpEncryption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SetUpEncryptionDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["EncryptionSetUpResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `encryption-already-configured` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.verifyPassphrase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["PassphraseDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true
                     *     }
                     */
                    "application/json": components["schemas"]["PassphraseCheckResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `encryption-not-configured` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.getEncryptionStatus": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 1200,
                     *       "encrypted": 300,
                     *       "unencrypted": 900,
                     *       "percentage": 25,
                     *       "hasEncryptionKey": true
                     *     }
                     */
                    "application/json": components["schemas"]["EncryptionStatusResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "privacy.decryptMail": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "correct horse battery staple",
                 *       "mailId": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d"
                 *     }
                 */
                "application/json": components["schemas"]["DecryptMailDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "content": "Subject: Hello\\r\\n\\r\\nHello Ada"
                     *     }
                     */
                    "application/json": components["schemas"]["DecryptedMailResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `mail-not-encrypted`, `mail-too-large` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.encryptArchive": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description For 24 hours the same key with the same request returns the same job; with another request it answers 409.
                 * @example a3c1f0de-5b5c-4f5e-9f0a-7d2b8c6e1a90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "passphrase": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["PassphraseDto"];
            };
        };
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "encrypt_archives-42",
                     *       "message": "The archive is being encrypted."
                     *     }
                     */
                    "application/json": components["schemas"]["EncryptionJobResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized: `unauthorized`, `user-inactive` */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `encryption-not-configured`, `idempotency-key-reused` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too Many Requests: `too-many-requests`, `too-many-jobs` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.readSafeHtml": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An archived mail.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                mailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail */
            200: {
                headers: {
                    /** @description As `trackersRemoved` */
                    "X-Trackers-Removed"?: number;
                    /** @description As `remoteContentBlocked` */
                    "X-Remote-Content-Blocked"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    /**
                     * @example {
                     *       "trackersRemoved": 2,
                     *       "remoteContentBlocked": 5,
                     *       "inlineImages": 1,
                     *       "remoteImages": 3,
                     *       "trackers": [
                     *         {
                     *           "type": "pixel",
                     *           "domain": "list-manage.com",
                     *           "url": "https://list-manage.com/track/open.php?u=1",
                     *           "params": [
                     *             "utm_source",
                     *             "mc_eid"
                     *           ]
                     *         }
                     *       ],
                     *       "html": "<!DOCTYPE html><html>…</html>",
                     *       "truncated": false,
                     *       "remoteImageHosts": [
                     *         "cdn.shop.example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SafeHtmlResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-not-rendered`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "privacy.loadRemoteImages": {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed for encrypted mail only: the passphrase in UTF-8, or `UTF-8''` and the passphrase percent-encoded (RFC 8187). */
                "X-Archive-Passphrase"?: string;
            };
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description An archived mail.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                mailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trackersRemoved": 2,
                     *       "remoteContentBlocked": 5,
                     *       "inlineImages": 1,
                     *       "remoteImages": 3,
                     *       "trackers": [
                     *         {
                     *           "type": "pixel",
                     *           "domain": "list-manage.com",
                     *           "url": "https://list-manage.com/track/open.php?u=1",
                     *           "params": [
                     *             "utm_source",
                     *             "mc_eid"
                     *           ]
                     *         }
                     *       ],
                     *       "remoteImagesShown": 2,
                     *       "remoteImagesFailed": 1,
                     *       "html": "<!DOCTYPE html><html>…</html>",
                     *       "truncated": false,
                     *       "remoteImageHosts": [
                     *         "cdn.shop.example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SafeHtmlWithImagesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `passphrase-invalid` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `archived-file-missing`, `mail-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `archive-store-refused`, `encryption-not-configured`, `mails-encrypted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-not-rendered`, `mail-undecryptable` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `archive-store-unavailable`, `archive-store-unknown`, `passphrases-busy` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage: `insufficient-storage` */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.readSafeHtml": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trackersRemoved": 2,
                     *       "remoteContentBlocked": 5,
                     *       "inlineImages": 1,
                     *       "remoteImages": 3,
                     *       "trackers": [
                     *         {
                     *           "type": "pixel",
                     *           "domain": "list-manage.com",
                     *           "url": "https://list-manage.com/track/open.php?u=1",
                     *           "params": [
                     *             "utm_source",
                     *             "mc_eid"
                     *           ]
                     *         }
                     *       ],
                     *       "attachments": [
                     *         {
                     *           "size_bytes": 48213,
                     *           "partId": "2",
                     *           "filename": "invoice.pdf",
                     *           "mime_type": "application/pdf"
                     *         }
                     *       ],
                     *       "html": "<!DOCTYPE html><html>…</html>",
                     *       "truncated": false,
                     *       "remoteImageHosts": [
                     *         "cdn.shop.example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LiveSafeHtmlResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-not-rendered` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Bad Gateway: `message-incomplete`, `message-mismatch`, `message-too-large` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "mailbox.loadRemoteImages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
                /**
                 * @description A message, by the mail provider’s id.
                 * @example 18c2f1a9b3d4e5f6
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trackersRemoved": 2,
                     *       "remoteContentBlocked": 5,
                     *       "inlineImages": 1,
                     *       "remoteImages": 3,
                     *       "trackers": [
                     *         {
                     *           "type": "pixel",
                     *           "domain": "list-manage.com",
                     *           "url": "https://list-manage.com/track/open.php?u=1",
                     *           "params": [
                     *             "utm_source",
                     *             "mc_eid"
                     *           ]
                     *         }
                     *       ],
                     *       "remoteImagesShown": 2,
                     *       "remoteImagesFailed": 1,
                     *       "html": "<!DOCTYPE html><html>…</html>",
                     *       "truncated": false,
                     *       "remoteImageHosts": [
                     *         "cdn.shop.example"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SafeHtmlWithImagesResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `provider-rejected`, `search-term-unsupported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account`, `account-not-owned`, `provider-rejected` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `message-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `mailbox-disconnected`, `mailbox-reauth-required` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error: `internal-error`, `mail-not-rendered` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Bad Gateway: `message-incomplete`, `message-mismatch`, `message-too-large` */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable: `service-unavailable`, `provider-rate-limited`, `provider-unavailable` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "quota.getUsage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "topEndpoints": [
                     *         {
                     *           "units": 4250,
                     *           "calls": 850,
                     *           "endpoint": "messages.get"
                     *         }
                     *       ],
                     *       "hourlyBreakdown": [
                     *         {
                     *           "hour": "2026-05-04T00:00:00.000Z",
                     *           "units": 0,
                     *           "calls": 0
                     *         },
                     *         {
                     *           "hour": "2026-05-04T01:00:00.000Z",
                     *           "units": 1825,
                     *           "calls": 365
                     *         },
                     *         {
                     *           "hour": "2026-05-04T02:00:00.000Z",
                     *           "units": 3650,
                     *           "calls": 730
                     *         },
                     *         {
                     *           "hour": "2026-05-04T03:00:00.000Z",
                     *           "units": 5475,
                     *           "calls": 1095
                     *         },
                     *         {
                     *           "hour": "2026-05-04T04:00:00.000Z",
                     *           "units": 7300,
                     *           "calls": 1460
                     *         },
                     *         {
                     *           "hour": "2026-05-04T05:00:00.000Z",
                     *           "units": 0,
                     *           "calls": 0
                     *         },
                     *         {
                     *           "hour": "2026-05-04T06:00:00.000Z",
                     *           "units": 1825,
                     *           "calls": 365
                     *         },
                     *         {
                     *           "hour": "2026-05-04T07:00:00.000Z",
                     *           "units": 3650,
                     *           "calls": 730
                     *         },
                     *         {
                     *           "hour": "2026-05-04T08:00:00.000Z",
                     *           "units": 5475,
                     *           "calls": 1095
                     *         },
                     *         {
                     *           "hour": "2026-05-04T09:00:00.000Z",
                     *           "units": 7300,
                     *           "calls": 1460
                     *         },
                     *         {
                     *           "hour": "2026-05-04T10:00:00.000Z",
                     *           "units": 0,
                     *           "calls": 0
                     *         },
                     *         {
                     *           "hour": "2026-05-04T11:00:00.000Z",
                     *           "units": 1825,
                     *           "calls": 365
                     *         },
                     *         {
                     *           "hour": "2026-05-04T12:00:00.000Z",
                     *           "units": 3650,
                     *           "calls": 730
                     *         },
                     *         {
                     *           "hour": "2026-05-04T13:00:00.000Z",
                     *           "units": 5475,
                     *           "calls": 1095
                     *         },
                     *         {
                     *           "hour": "2026-05-04T14:00:00.000Z",
                     *           "units": 7300,
                     *           "calls": 1460
                     *         },
                     *         {
                     *           "hour": "2026-05-04T15:00:00.000Z",
                     *           "units": 0,
                     *           "calls": 0
                     *         },
                     *         {
                     *           "hour": "2026-05-04T16:00:00.000Z",
                     *           "units": 1825,
                     *           "calls": 365
                     *         },
                     *         {
                     *           "hour": "2026-05-04T17:00:00.000Z",
                     *           "units": 3650,
                     *           "calls": 730
                     *         },
                     *         {
                     *           "hour": "2026-05-04T18:00:00.000Z",
                     *           "units": 5475,
                     *           "calls": 1095
                     *         },
                     *         {
                     *           "hour": "2026-05-04T19:00:00.000Z",
                     *           "units": 7300,
                     *           "calls": 1460
                     *         },
                     *         {
                     *           "hour": "2026-05-04T20:00:00.000Z",
                     *           "units": 0,
                     *           "calls": 0
                     *         },
                     *         {
                     *           "hour": "2026-05-04T21:00:00.000Z",
                     *           "units": 1825,
                     *           "calls": 365
                     *         },
                     *         {
                     *           "hour": "2026-05-04T22:00:00.000Z",
                     *           "units": 3650,
                     *           "calls": 730
                     *         },
                     *         {
                     *           "hour": "2026-05-04T23:00:00.000Z",
                     *           "units": 5475,
                     *           "calls": 1095
                     *         }
                     *       ],
                     *       "limits": {
                     *         "perSecond": 250,
                     *         "perMinute": 15000,
                     *         "receivedBytesPerDay": 2500000000,
                     *         "sentBytesPerDay": 500000000
                     *       },
                     *       "usage": {
                     *         "lastMinute": {
                     *           "units": 4250,
                     *           "calls": 850,
                     *           "percentOfLimit": 28.3
                     *         },
                     *         "lastHour": {
                     *           "units": 4250,
                     *           "calls": 850
                     *         },
                     *         "last24h": {
                     *           "units": 4250,
                     *           "calls": 850,
                     *           "receivedBytes": 73400320,
                     *           "sentBytes": 1048576
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QuotaResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "quota.cleanUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 18250
                     *     }
                     */
                    "application/json": components["schemas"]["QuotaCleanupResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.getPreferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "weekly_report": true,
                     *       "weekly_report_toast": false,
                     *       "job_completed": true,
                     *       "job_completed_toast": true,
                     *       "job_failed": true,
                     *       "job_failed_toast": true,
                     *       "rule_executed": false,
                     *       "rule_executed_toast": false,
                     *       "quota_warning": true,
                     *       "quota_warning_toast": false,
                     *       "integrity_alert": true,
                     *       "integrity_alert_toast": false
                     *     }
                     */
                    "application/json": components["schemas"]["PreferencesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.updatePreferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "weekly_report": true,
                 *       "weekly_report_toast": false,
                 *       "job_completed": true,
                 *       "job_completed_toast": true,
                 *       "job_failed": true,
                 *       "job_failed_toast": true,
                 *       "rule_executed": false,
                 *       "rule_executed_toast": false,
                 *       "quota_warning": true,
                 *       "quota_warning_toast": false,
                 *       "integrity_alert": true,
                 *       "integrity_alert_toast": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangePreferencesDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsOkResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.streamToasts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the last event shown, as browsers send it when they reconnect. The events since then come first: at most the newest 100 of the last five minutes. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events named `notification`, each with the id of its event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c",
                     *       "type": "job_completed",
                     *       "data": {
                     *         "jobId": "bulk_operation-42",
                     *         "type": "bulk_operation",
                     *         "status": "completed"
                     *       },
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "notification_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "title": "Bulk operation completed",
                     *       "body": "1,234 messages were processed."
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ToastResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests: `too-many-requests`, `too-many-streams` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.list": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Notifications per page. Values above 100 are lowered to 100; the response's `limit` is the value used. */
                limit?: number;
                /** @description Only unread notifications: `1` or `true`. */
                unread_only?: "1" | "true" | "0" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "unreadCount": 3,
                     *       "page": 1,
                     *       "limit": 20,
                     *       "notifications": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "type": "job_completed",
                     *           "data": {
                     *             "jobId": "bulk_operation-42",
                     *             "type": "bulk_operation",
                     *             "status": "completed"
                     *           },
                     *           "created_at": "2026-05-04T09:30:00.000Z",
                     *           "title": "Bulk operation completed",
                     *           "body": "1,234 messages were processed.",
                     *           "is_read": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-account` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "notifications.deleteRead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsOkResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.markAllRead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 3
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsReadResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.markRead": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A notification of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationReadResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `notification-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "notifications.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A notification of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationsOkResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `notification-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *         "name": "Chat of the team",
                     *         "url": "https://hooks.example.org/mailroom",
                     *         "type": "generic",
                     *         "events": [
                     *           "job.failed",
                     *           "quota.warning"
                     *         ],
                     *         "is_active": true,
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=",
                     *         "last_triggered_at": "2026-05-04T09:30:00.000Z",
                     *         "last_status": 200,
                     *         "created_at": "2026-05-04T09:30:00.000Z",
                     *         "disabled_reason": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebhookResponse"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Chat of the team",
                 *       "url": "https://hooks.example.org/mailroom",
                 *       "type": "generic",
                 *       "events": [
                 *         "job.failed",
                 *         "quota.warning"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *       "name": "Chat of the team",
                     *       "url": "https://hooks.example.org/mailroom",
                     *       "type": "generic",
                     *       "events": [
                     *         "job.failed",
                     *         "quota.warning"
                     *       ],
                     *       "is_active": true,
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=",
                     *       "last_triggered_at": "2026-05-04T09:30:00.000Z",
                     *       "last_status": 200,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "disabled_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `webhook-limit` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A webhook of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Chat of the team",
                 *       "url": "https://hooks.example.org/mailroom",
                 *       "type": "generic",
                 *       "events": [
                 *         "job.failed",
                 *         "quota.warning"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *       "name": "Chat of the team",
                     *       "url": "https://hooks.example.org/mailroom",
                     *       "type": "generic",
                     *       "events": [
                     *         "job.failed",
                     *         "quota.warning"
                     *       ],
                     *       "is_active": true,
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=",
                     *       "last_triggered_at": "2026-05-04T09:30:00.000Z",
                     *       "last_status": 200,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "disabled_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `webhook-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `webhook-target-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A webhook of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `webhook-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.toggle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A webhook of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *       "name": "Chat of the team",
                     *       "url": "https://hooks.example.org/mailroom",
                     *       "type": "generic",
                     *       "events": [
                     *         "job.failed",
                     *         "quota.warning"
                     *       ],
                     *       "is_active": true,
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=",
                     *       "last_triggered_at": "2026-05-04T09:30:00.000Z",
                     *       "last_status": 200,
                     *       "created_at": "2026-05-04T09:30:00.000Z",
                     *       "disabled_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `webhook-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A webhook of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `webhook-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `webhook-target-unreadable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "webhooks.listDeliveries": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A webhook of the caller.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "event_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "event": "job.failed",
                     *           "data": {
                     *             "jobId": "bulk_operation-42",
                     *             "type": "bulk_operation",
                     *             "status": "failed"
                     *           },
                     *           "status": "pending",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-05-04T09:30:00.000Z",
                     *               "status": 503,
                     *               "error": null,
                     *               "duration_ms": 120
                     *             }
                     *           ],
                     *           "next_attempt_at": "2026-05-04T09:40:00.000Z",
                     *           "created_at": "2026-05-04T09:30:00.000Z",
                     *           "completed_at": null
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "page": 1,
                     *       "limit": 50
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `api-key-scope`, `api-key-account` */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `webhook-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "admin.getStats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": 128,
                     *       "mailboxAccounts": 240,
                     *       "jobs": {
                     *         "total": 4200,
                     *         "completed": 4100,
                     *         "failed": 12,
                     *         "active": 3
                     *       },
                     *       "archives": {
                     *         "totalMails": 1250000,
                     *         "totalSizeBytes": 93415268352
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminStatsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.listJobs": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description Only jobs with this status. */
                status?: components["schemas"]["JobStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 4200,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "jobs": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "status": "active",
                     *           "progress": 40,
                     *           "total": 10000,
                     *           "processed": 4000,
                     *           "failed": 0,
                     *           "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "error": null,
                     *           "error_code": null,
                     *           "created_at": "2026-05-04T09:30:00.000Z",
                     *           "started_at": "2026-05-04T09:30:00.010Z",
                     *           "completed_at": null,
                     *           "queue_id": "bulk_operation-42",
                     *           "type": "bulk_operation",
                     *           "user_email": "ada@example.org"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminJobsResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "admin.listUsers": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description Part of the e-mail address or the name, case-insensitive. Every character stands for itself. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 128,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "users": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "role": "user",
                     *           "awaits_admin_role": false,
                     *           "max_mailbox_accounts": 5,
                     *           "storage_quota_bytes": 5368709120,
                     *           "mailbox_accounts_count": 2,
                     *           "storage_used_bytes": 734003200,
                     *           "last_login_at": "2026-05-04T09:30:00.000Z",
                     *           "created_at": "2026-01-01T12:00:00.000Z",
                     *           "email": "ada@example.org",
                     *           "name": "Ada Lovelace",
                     *           "is_active": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUsersResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "admin.inviteUser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.org",
                 *       "role": "user",
                 *       "name": "Grace Hopper"
                 *     }
                 */
                "application/json": components["schemas"]["InviteUserDto"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expires_at": "2026-03-08T08:00:00.000Z",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "role": "user",
                     *         "awaits_admin_role": false,
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "mailbox_accounts_count": 2,
                     *         "storage_used_bytes": 734003200,
                     *         "last_login_at": "2026-05-04T09:30:00.000Z",
                     *         "created_at": "2026-01-01T12:00:00.000Z",
                     *         "email": "ada@example.org",
                     *         "name": "Ada Lovelace",
                     *         "is_active": false
                     *       },
                     *       "inviteUrl": "https://mail.example.org/invite#q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedUserResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `email-taken` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.inviteUserAgain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A user of the installation.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expires_at": "2026-03-08T08:00:00.000Z",
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "role": "user",
                     *         "awaits_admin_role": false,
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "mailbox_accounts_count": 2,
                     *         "storage_used_bytes": 734003200,
                     *         "last_login_at": "2026-05-04T09:30:00.000Z",
                     *         "created_at": "2026-01-01T12:00:00.000Z",
                     *         "email": "ada@example.org",
                     *         "name": "Ada Lovelace",
                     *         "is_active": false
                     *       },
                     *       "inviteUrl": "https://mail.example.org/invite#q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedUserResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `user-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `user-has-signed-in` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.getUser": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A user of the installation.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *         "role": "user",
                     *         "awaits_admin_role": false,
                     *         "max_mailbox_accounts": 5,
                     *         "storage_quota_bytes": 5368709120,
                     *         "mailbox_accounts_count": 2,
                     *         "storage_used_bytes": 734003200,
                     *         "last_login_at": "2026-05-04T09:30:00.000Z",
                     *         "created_at": "2026-01-01T12:00:00.000Z",
                     *         "email": "ada@example.org",
                     *         "name": "Ada Lovelace",
                     *         "is_active": false
                     *       },
                     *       "mailboxAccounts": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "last_synced_at": "2025-11-21T09:30:00.000Z",
                     *           "created_at": "2025-11-21T09:30:00.000Z",
                     *           "email": "ada@gmail.com",
                     *           "provider": "gmail",
                     *           "is_active": false,
                     *           "status": "connected"
                     *         }
                     *       ],
                     *       "recentJobs": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "status": "active",
                     *           "progress": 40,
                     *           "total": 10000,
                     *           "processed": 4000,
                     *           "failed": 0,
                     *           "mailbox_account_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "error": null,
                     *           "error_code": null,
                     *           "created_at": "2026-05-04T09:30:00.000Z",
                     *           "started_at": "2026-05-04T09:30:00.010Z",
                     *           "completed_at": null,
                     *           "queue_id": "bulk_operation-42",
                     *           "type": "bulk_operation"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUserDetailResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `user-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.deleteUser": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A user of the installation.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: a job was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "delete_user-42",
                     *       "message": "The user is locked out, and everything of theirs is being removed."
                     *     }
                     */
                    "application/json": components["schemas"]["UserDeletionResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `user-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `last-active-admin`, `own-account` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "admin.updateUser": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A user of the installation.
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "user",
                 *       "is_active": true,
                 *       "max_mailbox_accounts": 5,
                 *       "storage_quota_bytes": 5368709120
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *       "role": "user",
                     *       "awaits_admin_role": false,
                     *       "max_mailbox_accounts": 5,
                     *       "storage_quota_bytes": 5368709120,
                     *       "mailbox_accounts_count": 2,
                     *       "storage_used_bytes": 734003200,
                     *       "last_login_at": "2026-05-04T09:30:00.000Z",
                     *       "created_at": "2026-01-01T12:00:00.000Z",
                     *       "email": "ada@example.org",
                     *       "name": "Ada Lovelace",
                     *       "is_active": false
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUserResponse"];
                };
            };
            /** @description Bad Request: `validation-failed`, `malformed-json`, `body-too-deep`, `no-fields` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found: `user-not-found` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Conflict: `last-active-admin`, `user-being-deleted` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "mailboxAccounts.disconnect": {
        parameters: {
            query?: {
                /** @description Also deletes the account, its archive and its files, as a job. */
                purge?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description A mailbox account of the caller
                 * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d
                 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `foreign-origin`, `session-required`, `account-not-owned` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict: `offload-running` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description An action, or the beginning of actions when it ends with a dot. */
                action?: string;
                /** @description Only successful acts, or only refused and failed ones. */
                outcome?: components["schemas"]["AuditOutcome"];
                /** @description ISO 8601, inclusive; a date without time means the start of that day in UTC. */
                from?: string;
                /** @description ISO 8601, inclusive; a date without time means the end of that day in UTC. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 120,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "entries": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "occurred_at": "2026-05-04T09:30:00.000Z",
                     *           "outcome": "success",
                     *           "actor_kind": "user",
                     *           "actor_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "api_key_id": null,
                     *           "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "mailbox_account_id": null,
                     *           "details": {
                     *             "method": "password"
                     *           },
                     *           "action": "session.opened",
                     *           "target_type": "session",
                     *           "target_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f",
                     *           "address": "203.0.113.7",
                     *           "request_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50",
                     *           "job_id": "bulk_operation-42"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "admin.listAudit": {
        parameters: {
            query?: {
                /** @description 1-based page number. */
                page?: number;
                /** @description Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
                limit?: number;
                /** @description An action, or the beginning of actions when it ends with a dot. */
                action?: string;
                /** @description Only successful acts, or only refused and failed ones. */
                outcome?: components["schemas"]["AuditOutcome"];
                /** @description ISO 8601, inclusive; a date without time means the start of that day in UTC. */
                from?: string;
                /** @description ISO 8601, inclusive; a date without time means the end of that day in UTC. */
                to?: string;
                /** @description Only entries about this user, who may be deleted. */
                userId?: string;
                /** @description Only acts of this user or their API keys. */
                actorId?: string;
                /** @description Only entries about this mailbox account, which may be deleted. */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 120,
                     *       "page": 1,
                     *       "limit": 50,
                     *       "entries": [
                     *         {
                     *           "id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d",
                     *           "occurred_at": "2026-05-04T09:30:00.000Z",
                     *           "outcome": "success",
                     *           "actor_kind": "user",
                     *           "actor_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "api_key_id": null,
                     *           "user_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e",
                     *           "mailbox_account_id": null,
                     *           "details": {
                     *             "method": "password"
                     *           },
                     *           "sequence": 4711,
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "actor_email": "ada@example.org",
                     *           "user_email": "ada@example.org",
                     *           "action": "session.opened",
                     *           "target_type": "session",
                     *           "target_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f",
                     *           "address": "203.0.113.7",
                     *           "request_id": "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50",
                     *           "job_id": "bulk_operation-42"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuditPageResponse"];
                };
            };
            /** @description Bad Request: `validation-failed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden: `session-required`, `admin-required` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: `service-unavailable`, `query-too-expensive` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
