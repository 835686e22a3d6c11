package backup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"
	"filippo.io/age/armor"
	"github.com/gofrs/flock"

	"moothall/internal/platform/files"
)

// WriteFile writes a backup into a new file that only its owner can read. Until the backup is complete
// and on disk, the file is called PATH.partial. It replaces the partial file of a killed process. With recipients,
// WriteFile encrypts the backup to them. It returns fs.ErrExist if the path exists.
func WriteFile(ctx context.Context, path string, to []age.Recipient, s Source) (contents Contents, err error) {
	if _, err := os.Lstat(path); err == nil {
		return contents, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	partial := path + ".partial"
	unlock, err := lockPartial(partial)
	if err != nil {
		return contents, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return contents, err
	}
	file, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the path is that of the operator
	if err != nil {
		return contents, err
	}
	created, err := file.Stat()
	if err == nil {
		contents, err = WriteEncrypted(ctx, file, to, s)
	}
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if current, statErr := os.Lstat(partial); statErr != nil || !os.SameFile(current, created) {
		return contents, errors.Join(err, fmt.Errorf("%s was removed or replaced, perhaps by another backup", partial))
	}
	if err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		return contents, errors.Join(err, os.Remove(partial))
	}
	return contents, files.FlushFolder(filepath.Dir(path))
}

// lockPartial makes this process the only one that writes a partial file, until it calls unlock or ends in any way.
func lockPartial(partial string) (unlock func() error, err error) {
	lock := flock.New(partial+".lock", flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err == nil && !locked {
		err = fmt.Errorf("another backup is writing %s: wait for it, or name another file", partial)
	}
	if err != nil {
		return nil, err
	}
	return func() error { return errors.Join(lock.Unlock(), os.Remove(lock.Path())) }, nil
}

// WriteEncrypted is Write, but encrypts the backup if there are recipients.
func WriteEncrypted(ctx context.Context, to io.Writer, recipients []age.Recipient, s Source) (Contents, error) {
	buffered := bufio.NewWriterSize(to, 1<<20)
	contents, err := write(ctx, buffered, recipients, s)
	if err == nil {
		err = buffered.Flush()
	}
	return contents, err
}

func write(ctx context.Context, to io.Writer, recipients []age.Recipient, s Source) (Contents, error) {
	if len(recipients) == 0 {
		return Write(ctx, to, s)
	}
	encrypted, err := age.Encrypt(to, recipients...)
	if err != nil {
		return Contents{}, err
	}
	contents, err := Write(ctx, encrypted, s)
	if err == nil {
		err = encrypted.Close()
	}
	return contents, err
}

// magic is the beginning of every file that age has encrypted, without armor.
const magic = "age-encryption.org/"

// ErrEncrypted means that none of the identities decrypts the backup.
var ErrEncrypted = errors.New("the backup is encrypted")

// Decrypt returns a reader of the unencrypted backup, for Verify and Restore. It returns ErrEncrypted
// if the file is encrypted and no identity fits. The encrypted file may be ASCII armored.
func Decrypt(from io.Reader, identities []age.Identity) (io.Reader, error) {
	buffered := bufio.NewReaderSize(from, 1<<20)
	begin, _ := buffered.Peek(len(armor.Header))
	var encrypted io.Reader = buffered
	switch {
	case bytes.HasPrefix(begin, []byte(armor.Header)):
		encrypted = armor.NewReader(buffered)
	case !bytes.HasPrefix(begin, []byte(magic)):
		return buffered, nil
	}
	if len(identities) == 0 {
		return nil, ErrEncrypted
	}
	decrypted, err := age.Decrypt(encrypted, identities...)
	if errors.As(err, new(*age.NoIdentityMatchError)) {
		return nil, fmt.Errorf("%w: none of the identities fits", ErrEncrypted)
	}
	if err != nil {
		return nil, damaged(err)
	}
	return decrypted, nil
}
