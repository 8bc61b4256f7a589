#include <curl/curl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

// Swift calls no functions with a variable number of arguments, so each type of option has its own.

static inline CURLcode bulkhead_curl_number(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode bulkhead_curl_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode bulkhead_curl_pointer(CURL *transfer, CURLoption option, void *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode bulkhead_curl_headers(CURL *transfer, struct curl_slist *headers) {
    return curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}

// The bytes must live as long as the transfer.
static inline CURLcode bulkhead_curl_certificates(CURL *transfer, const void *bytes, size_t count) {
    struct curl_blob blob = {
        .data = (void *)bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return curl_easy_setopt(transfer, CURLOPT_CAINFO_BLOB, &blob);
}

typedef size_t (*bulkhead_curl_writer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode bulkhead_curl_on_bytes(CURL *transfer, bulkhead_curl_writer writer,
                                              void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, writer);
    if (result != CURLE_OK) return result;
    return curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
}

static inline CURLcode bulkhead_curl_on_socket(CURL *transfer, curl_opensocket_callback open,
                                               void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open);
    if (result != CURLE_OK) return result;
    return curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, context);
}

// Whether the address that libcurl is about to connect to is this one.
static inline int bulkhead_curl_is_address(const struct curl_sockaddr *found,
                                           const struct sockaddr *wanted, socklen_t size) {
    const char *bytes = (const char *)found + offsetof(struct curl_sockaddr, addr);
    return found->addrlen == size && memcmp(bytes, wanted, size) == 0;
}

// The list must live as long as the transfer.
static inline CURLcode bulkhead_curl_connect_to(CURL *transfer, struct curl_slist *list) {
    return curl_easy_setopt(transfer, CURLOPT_CONNECT_TO, list);
}

static inline long bulkhead_curl_status(CURL *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline CURLMcode bulkhead_curl_watch(CURLM *transfers, curl_socket_callback sockets,
                                            curl_multi_timer_callback timer, void *context) {
    CURLMcode result = curl_multi_setopt(transfers, CURLMOPT_SOCKETFUNCTION, sockets);
    if (result == CURLM_OK) result = curl_multi_setopt(transfers, CURLMOPT_SOCKETDATA, context);
    if (result == CURLM_OK) result = curl_multi_setopt(transfers, CURLMOPT_TIMERFUNCTION, timer);
    if (result == CURLM_OK) result = curl_multi_setopt(transfers, CURLMOPT_TIMERDATA, context);
    return result;
}

// Transfers that are more than these wait for a connection.
static inline CURLMcode bulkhead_curl_limit(CURLM *transfers, long connections) {
    return curl_multi_setopt(transfers, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
}

// The next transfer that is over, with how it ended; NULL if there is none.
static inline CURL *bulkhead_curl_done(CURLM *transfers, CURLcode *result) {
    int left = 0;
    CURLMsg *message = NULL;
    while ((message = curl_multi_info_read(transfers, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
