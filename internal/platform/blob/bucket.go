package blob

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"moothall/internal/platform/observe"
)

// bucket is a Store in an S3 bucket. S3 makes an object visible when it is complete.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

const (
	tries        = 3 // of one request
	responseTime = 10 * time.Second
	stallTime    = time.Minute // without a byte in either direction

	partSize = 16 << 20 // allows objects of 160 GB
)

// openBucket does not connect: the bucket may be unreachable for a while.
func openBucket(l Location) (*bucket, error) {
	transport, err := minio.DefaultTransport(!l.Insecure)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	transport.ResponseHeaderTimeout = responseTime
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return stallConn{c}, nil
	}
	client, err := minio.New(l.Endpoint, &minio.Options{
		Creds: credentials.NewStaticV4(l.AccessKey, l.SecretKey, ""), Secure: !l.Insecure, Region: l.Region,
		Transport: observe.Transport("storage", "", transport), MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	return &bucket{client, l.Bucket, l.Prefix}, nil
}

// stallConn is a connection that fails if it stalls for stallTime.
type stallConn struct{ net.Conn }

// Read implements net.Conn.
func (c stallConn) Read(to []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(stallTime)); err != nil {
		return 0, err
	}
	return c.Conn.Read(to)
}

// Write implements net.Conn. It also gives a Read that is waiting for the response more time.
func (c stallConn) Write(from []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(stallTime)); err != nil {
		return 0, err
	}
	return c.Conn.Write(from)
}

// Put implements Store.
func (b *bucket) Put(ctx context.Context, key string, data []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{DisableMultipart: true})
	if err != nil {
		return fmt.Errorf("blob.put %s: %w", key, err)
	}
	return nil
}

// Write implements Store. It sends parts of partSize.
func (b *bucket) Write(ctx context.Context, key string, fill func(io.Writer) error) error {
	from, to := io.Pipe()
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		_ = to.CloseWithError(fill(to)) // never fails
	}()
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, from, -1, minio.PutObjectOptions{PartSize: partSize})
	_ = from.CloseWithError(err) // ends fill
	<-filled
	if err != nil {
		return fmt.Errorf("blob.put %s: %w", key, err)
	}
	return nil
}

// List implements Store.
func (b *bucket) List(ctx context.Context) (all []Object, err error) {
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix}) {
		if object.Err != nil {
			return nil, fmt.Errorf("blob.list: %w", object.Err)
		}
		if key := strings.TrimPrefix(object.Key, b.prefix); !strings.Contains(key, "/") {
			all = append(all, Object{key, object.Size, object.LastModified})
		}
	}
	return all, nil
}

// Open implements Store.
func (b *bucket) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	object, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err == nil {
		_, err = object.Stat() // the first request
		if err != nil {
			_ = object.Close() // the error of Stat says more
		}
	}
	if response := minio.ToErrorResponse(err); err != nil && response.StatusCode == http.StatusNotFound &&
		response.Code != minio.NoSuchBucket {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("blob.open %s: %w", key, err)
	}
	return object, nil
}

// Delete implements Store.
func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("blob.delete %s: %w", key, err)
	}
	return nil
}

// Close implements Store.
func (b *bucket) Close() error { return nil }
