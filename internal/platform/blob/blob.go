// Package blob stores immutable objects by key, in a directory or in an S3 bucket. Several
// instances may share one store.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Store contains objects. A key is a path of plain names, such as "3f/3f9a-480.jpg".
type Store interface {
	// Put stores an object. If it fails, there is no object with the key, or a complete one.
	Put(ctx context.Context, key string, data []byte) error

	// Write is Put for data that fill writes. If fill fails, there is no object.
	Write(ctx context.Context, key string, fill func(io.Writer) error) error

	// List returns the objects whose keys have no slash, in the order of the keys.
	List(ctx context.Context) ([]Object, error)

	// Open returns an object, which the caller must close, or fs.ErrNotExist.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)

	// Delete removes an object if it exists.
	Delete(ctx context.Context, key string) error

	// Close releases the store.
	Close() error
}

// Object describes an object.
type Object struct {
	Key  string
	Size int64     // in bytes
	At   time.Time // when it was stored
}

// Location is where a store is: a directory, or an S3 bucket.
type Location struct {
	Dir string // used if Bucket is empty

	Bucket   string
	Prefix   string // of all keys in the bucket; empty, or ends in a slash
	Endpoint string // host, or host:port
	Insecure bool   // http
	Region   string

	AccessKey, SecretKey string // for a bucket; never logged
}

// ParseLocation parses the path of a directory or the address of a bucket,
// s3://KEY:SECRET@bucket/prefix?endpoint=https://host&region=eu-central-1. Its error contains no key.
func ParseLocation(address string) (Location, error) {
	if !strings.HasPrefix(address, "s3:") {
		if strings.Contains(address, "://") {
			return Location{}, errBucket
		}
		return Location{Dir: address}, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" {
		return Location{}, errBucket
	}
	if err := s3utils.CheckValidBucketNameStrict(u.Host); err != nil {
		return Location{}, errBucketName
	}
	secret, _ := u.User.Password()
	if u.User.Username() == "" || secret == "" {
		return Location{}, errBucketKeys
	}
	query := u.Query()
	l := Location{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Region: "us-east-1", AccessKey: u.User.Username(), SecretKey: secret}
	if l.Prefix != "" {
		l.Prefix += "/"
	}
	if region := query.Get("region"); region != "" {
		l.Region = region
	}
	endpoint, err := url.Parse(query.Get("endpoint"))
	if err != nil || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" || endpoint.Scheme != "https" &&
		endpoint.Scheme != "http" {
		return Location{}, errBucket
	}
	l.Endpoint, l.Insecure = endpoint.Host, endpoint.Scheme == "http"
	query.Del("endpoint")
	query.Del("region")
	if len(query) > 0 {
		return Location{}, errBucket
	}
	return l, nil
}

var errBucket = errors.New("must be a directory, or a bucket like s3://KEY:SECRET@bucket?endpoint=https://host&region=eu-central-1, " +
	"with percent-encoded keys")

var errBucketKeys = errors.New("must have the keys of the bucket, percent-encoded, like s3://KEY:SECRET@bucket?region=REGION")

var errBucketName = errors.New("must have a bucket name of 3 to 63 lower case letters, digits, dots and hyphens")

// Check returns an error if the S3 server says that it has no such bucket. It returns nil if the server does not answer, or
// does not say so: the bucket may be there later.
func Check(ctx context.Context, l Location) error {
	if l.Bucket == "" {
		return nil
	}
	b, err := openBucket(l)
	if err != nil {
		return err
	}
	if exists, err := b.client.BucketExists(ctx, l.Bucket); err == nil && !exists {
		return fmt.Errorf("%s has no bucket %s: create it, or correct its name", l.Endpoint, l.Bucket)
	}
	return nil
}

// Open opens the store at a location. In a directory, it removes incomplete files of crashed processes that are more than an
// hour older than now. If now is zero, it removes nothing.
func Open(l Location, now time.Time) (Store, error) {
	if l.Bucket != "" {
		return openBucket(l)
	}
	return openDir(l.Dir, now)
}

// OpenExisting is Open, but creates and deletes nothing. It returns fs.ErrNotExist if there is no
// such directory.
func OpenExisting(l Location) (Store, error) {
	if l.Bucket != "" {
		return openBucket(l)
	}
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	return &dir{root}, nil
}
